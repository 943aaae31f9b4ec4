import type { Diagnostic, Finding } from "#kernel/internal";
import type {} from "./contract.js";
import { diskProblem } from "./disk-space.js";

/** Every disk of the site has space. */
export const diskCheck: Diagnostic = {
  name: "disk",
  run: ({ paths }) => {
    const problem = diskProblem(paths);
    if (problem === null) return [{ level: "ok", seen: "all disks of the site have space" }];
    return [{ level: "error", seen: problem, fix: "delete files, or use a larger disk" }];
  },
};

/** What the detailed health report of this site would list. */
export const healthCheck: Diagnostic = {
  name: "health",
  needsSite: true,
  run: async ({ site }) => {
    const problems = (await site()).use("health").problems();
    const found = problems.filter(({ part }) => part !== "disk");
    if (found.length === 0) return [{ level: "ok", seen: "the health report lists no problem" }];
    return found.map(({ part, problem }): Finding => ({
      level: "error",
      seen: `${part}: ${problem}`,
      fix: "the log of the server has details",
    }));
  },
};
