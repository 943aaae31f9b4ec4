/** Settings of the Model Context Protocol. */

/** Section `mcp` of site.yaml. */
export interface McpSection {
  enabled: boolean;
  /** Address of the server. */
  path: string;
}

declare module "#kernel" {
  interface SiteSettings {
    mcp: McpSection;
  }
}
