"""The version of the package, and what the service's logs know the client by."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("canvass-surveys")
except PackageNotFoundError:
    # It runs from its sources.
    __version__ = "source"

USER_AGENT = f"canvass-server-python/{__version__}"
