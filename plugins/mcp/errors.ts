/** Error codes of the MCP server: what each means, and the fix. */
export const mcpErrors = {
  ERR_MCP_TOKEN: "the token is unknown, revoked or expired; create another one with tokens:create",
  ERR_MCP_EXPIRY:
    "the token never expires, which agents may not use; create one with tokens:create --expires 30d",
  ERR_MCP_ORIGIN:
    "a page of another site sent the request; call the server from a program, not from a browser",
  ERR_MCP_PERSON:
    "A token asked about writes that wait for a person: approve them in the panel, or confirm them with the token that made them.",
  ERR_MCP_STALE:
    "The content has changed since the agent proposed the write: let the agent propose it again.",
  ERR_MCP_UNKNOWN:
    "No such write waits: it was made, rejected or is older than a day, or the account may not make it.",
  ERR_MCP_TOOL: "two routes declare one tool; give one of them another name",
} as const;

/** A code of this plugin. */
export type McpErrorCode = keyof typeof mcpErrors;
