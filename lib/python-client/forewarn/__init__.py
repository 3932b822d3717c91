"""Client of a Forewarn service: calls, and webhooks that are verified. Needs nothing but Python."""

from .client import Client, ForewarnConnectionError, ForewarnError, three_d_secure_of
from .webhook import Notification, WebhookRefused, open_webhook

__all__ = ["Client", "ForewarnConnectionError", "ForewarnError", "Notification", "WebhookRefused", "open_webhook", "three_d_secure_of"]
