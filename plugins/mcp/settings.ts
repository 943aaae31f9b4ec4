import { z } from "zod";

const mcp = z
  .strictObject({
    enabled: z
      .boolean()
      .describe("Serves the tools of agents; without a token, only those for what visitors see")
      .default(false),
    path: z
      .string()
      .regex(/^\/[a-z0-9][a-z0-9/_-]*$/i, "expected a path such as /mcp")
      .describe("Address of the server")
      .default("/mcp"),
  })
  .describe("Server of the Model Context Protocol, for agents")
  .prefault({});

export const settings = { site: z.object({ mcp }) };
