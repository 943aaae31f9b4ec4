import { z } from "zod";

const age = z
  .strictObject({
    days: z
      .number()
      .min(0)
      .max(3650)
      .describe("Minimum age of a version before it is installed, in days; 0: none")
      .default(0),
    exclude: z
      .array(z.string().regex(/^(@[a-z0-9][\w.-]*\/(\*|[a-z0-9][\w.-]*)|[a-z0-9][\w.-]*)$/))
      .describe("Packages without a minimum age; `@scope/*` for a whole scope")
      .default([]),
  })
  .describe("Which versions `plugin:add`, `plugin:update` and `lockfile:sync` may choose")
  .meta({ privileged: true })
  .prefault({});

/** `packages` of system.yaml. */
export const packagesSection = z
  .strictObject({ minimum_dependency_age: age })
  .describe("Packages of plugins and themes")
  .prefault({});

export const settings = { system: z.object({ packages: packagesSection }) };
