"""Lists the ids of all people with the official client, or without it with the library that it stands on."""
import os

site, email, key = (os.environ[name] for name in ("ZULIP_SITE", "ZULIP_EMAIL", "ZULIP_API_KEY"))
try:
    import zulip
except ImportError:
    import requests

    members = requests.get(f"{site}/api/v1/users", auth=(email, key)).json()["members"]
else:
    members = zulip.Client(site=site, email=email, api_key=key).get_members()["members"]
print("\n".join(str(member["user_id"]) for member in members))
