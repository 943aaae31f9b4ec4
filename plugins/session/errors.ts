/** Error codes of sessions: meaning and fix. */
export const sessionErrors = {
  ERR_SESSION_STORE_DOWN:
    "The session store does not respond: public pages continue without sessions; logins respond 503 until it is restored.",
  ERR_SESSION_NONE: "The request has no session to change: call login first.",
  ERR_SESSION_PATH:
    "A plugin passes no path to `ownSessionBelow`: pass that of its router, such as `/shop`.",
  ERR_SESSION_SECRET:
    "The secret for cookies and tokens is too short or unreadable: set SITE_AUTH_SECRET to at least 32 bytes, or delete the damaged file so that a new one is generated.",
  ERR_SESSION_STORE_URL:
    "`session_store.type: redis` needs `session_store.url`: set it to `redis://host:port`.",
} as const;
