"""The package's version, which also identifies the client in the service's logs."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("canvass-surveys")
except PackageNotFoundError:
    # Run from its sources.
    __version__ = "source"

USER_AGENT = f"canvass-server-python/{__version__}"
