"""A client of a Dask cluster that can be used: connected, and with workers that run this version of hccd."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from hccd.errors import InvalidParameterError, NotInstalledError, WorkerError
from hccd.version import __version__

#: Seconds to look for a scheduler.
PATIENCE = 10.0
#: The version of this package must be equal everywhere; that of Python, for functions to be read.
_OURS = "hccd"


def connected_client(client: Any) -> Any:
    """Return the client, or one of our own at an address; refuse what cannot be used."""
    try:
        from distributed import Client
    except ImportError:
        raise NotInstalledError("a Dask cluster needs distributed: pip install 'hccd[distributed]'") from None
    if isinstance(client, str):
        try:
            return connected(client)
        except (OSError, ValueError, TimeoutError, asyncio.TimeoutError, ImportError) as error:
            raise InvalidParameterError(
                f"no Dask scheduler answers at {client!r} ({reason_of(error)}): check the address, and that the "
                "scheduler runs"
            ) from None
    if not isinstance(client, Client):
        raise InvalidParameterError(
            f"client is {client!r}; give a dask.distributed.Client or an address such as 'tcp://host:8786'"
        )
    if client.asynchronous:
        raise InvalidParameterError("the Dask client is asynchronous: give one that is not")
    if client.status != "running":
        raise InvalidParameterError(f"the Dask client is {client.status}: give one that is connected")
    return client


def connected(address: str) -> Any:
    """Return a client of our own; what happens to it is said in sentences, not in Dask's log."""
    from distributed import Client

    for name in ("distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return Client(address, timeout=PATIENCE, set_as_default=False)


def check_versions(client: Any) -> bool:
    """Refuse workers that run another hccd or another Python; return whether there are any workers."""
    told = client.get_versions(packages=[_OURS])
    here = told["client"]
    for address, there in sorted(told["workers"].items()):
        found = there["packages"].get(_OURS)
        if found is None:
            raise WorkerError(
                f"the Dask worker {address} has no hccd: install hccd {__version__} where the workers run"
            )
        if found != here["packages"].get(_OURS):
            raise WorkerError(
                f"the Dask worker {address} has hccd {found}, and this is hccd {here['packages'].get(_OURS)}: "
                "install the same version on both"
            )
        own, other = (_minor(each["host"]["python"]) for each in (here, there))
        if own != other:
            raise WorkerError(
                f"the Dask worker {address} runs Python {other}, and this is Python {own}: use the same on both"
            )
    return bool(told["workers"])


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def reason_of(error: BaseException) -> str:
    """Return the first line of what an error says."""
    text = str(error).splitlines()[0].rstrip(".: ") if str(error) else ""
    return text[:200] or type(error).__name__
