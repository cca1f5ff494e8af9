"""The example of the README: what moves the price of electricity, from 2000 observations of six quantities."""

import numpy as np

import hccd

rng = np.random.default_rng(0)
sun, wind, holiday = rng.normal(size=(3, 2000))
heat = 0.9 * sun + 0.5 * rng.normal(size=2000)
demand = 0.8 * heat - 0.7 * holiday + 0.5 * rng.normal(size=2000)
price = 0.9 * demand - 0.8 * wind + 0.5 * rng.normal(size=2000)
data = {"sun": sun, "heat": heat, "holiday": holiday, "demand": demand, "wind": wind, "price": price}

result = hccd.discover(data)
print(result)
print(result.explain("sun", "demand"))
