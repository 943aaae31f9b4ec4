/** Error codes of the MCP server: what each means, and the fix. */
export const mcpErrors = {
  ERR_MCP_TOKEN: "the token is unknown, revoked or expired; create another one with tokens:create",
  ERR_MCP_EXPIRY:
    "the token never expires, which agents may not use; create one with tokens:create --expires 30d",
  ERR_MCP_ORIGIN:
    "a page of another site sent the request; call the server from a program, not from a browser",
  ERR_MCP_TOOL: "two routes declare one tool; give one of them another name",
} as const;

/** A code of this plugin. */
export type McpErrorCode = keyof typeof mcpErrors;
