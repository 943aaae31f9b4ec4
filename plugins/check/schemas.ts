import { z } from "zod";

const problem = z.object({
  sourcePath: z.string(),
  code: z.string(),
  message: z.string(),
  severity: z.enum(["error", "warning"]),
  line: z.number().optional(),
  key: z.string().optional(),
  fix: z.string().optional(),
});

/** The route of the admin API for problems: query and responses. */
export const checkApi = {
  "GET /problems": {
    query: z.object({
      path: z.string().max(1024).optional().describe("A page, or a folder: only what is in it"),
    }),
    responses: { 200: z.object({ items: z.array(problem), total: z.int() }) },
  },
};
