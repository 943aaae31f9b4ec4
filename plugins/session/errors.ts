/** Error codes of sessions, with what they mean and what mends them. */
export const sessionErrors = {
  ERR_SESSION_STORE_DOWN:
    "The session store does not answer: public pages go on without sessions, logins answer 503 until it is back.",
  ERR_SESSION_NONE: "A session is changed that the request does not have: call login first.",
  ERR_SESSION_SECRET:
    "The secret for cookies and tokens is too short or unreadable: set SITE_AUTH_SECRET to at least 32 bytes, or delete the broken file so that a new one is made.",
  ERR_SESSION_STORE_URL:
    "`session_store.type: redis` needs `session_store.url`: set it to `redis://host:port`.",
} as const;
