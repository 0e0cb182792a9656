"""A JupyterHub in a container of its own image: it starts each user's server, which is reached at its own port.

Settings: HUB_PORT, SERVER_PORT, and TOKEN of the service that creates users. A hub's usual proxy needs Node.
"""

import os

from jupyterhub.proxy import Proxy
from traitlets.config import get_config


class NoProxy(Proxy):
    """Routes nothing."""

    should_start = False

    async def add_route(self, routespec, target, data):
        """Accept a route."""

    async def delete_route(self, routespec):
        """Forget a route."""

    async def get_all_routes(self):
        """Return no routes."""
        return {}


settings = get_config()
settings.JupyterHub.proxy_class = NoProxy
settings.JupyterHub.authenticator_class = "dummy"
settings.JupyterHub.spawner_class = "simple"
settings.JupyterHub.hub_port = int(os.environ["HUB_PORT"])
settings.JupyterHub.services = [{"name": "ci", "api_token": os.environ["TOKEN"], "admin": True}]
settings.Authenticator.allow_all = True
settings.Spawner.env_keep = [name for name in os.environ if name != "TOKEN"]  # a container of the image has these, too
settings.Spawner.port = int(os.environ["SERVER_PORT"])
settings.SimpleLocalProcessSpawner.home_dir_template = "/tmp/home-of-{username}"
