/**
 * The command `site doctor`: what is wrong with a site and its machine, and how to fix it.
 */
import { definePlugin } from "#kernel";
import type { ToolInput } from "#kernel/internal";

export default definePlugin({
  name: "doctor",
  version: "1.0.0",
  description: "Checks of the site, its services and this machine",
  commands: [
    {
      name: "doctor",
      summary: "check the site, its services and this machine; exit 1 when something is wrong",
      options: [
        ["--json", "print JSON"],
        [
          "--fix",
          "apply the fixes that are safe: create folders, protect secrets, remove stale locks",
        ],
      ],
      run: async (input: ToolInput) => (await import("./doctor.js")).doctor(input),
    },
  ],
});
