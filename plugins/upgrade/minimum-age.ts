/** The minimum age of versions that `packages` of system.yaml sets: for the package and its dependencies. */
import { z } from "zod";
import { readRawConfig } from "#kernel/internal";

const DAY_MS = 86_400_000;

const systemShape = z.object({
  packages: z.object({
    minimum_dependency_age: z.object({
      days: z.number().min(0).max(3650).default(0),
      exclude: z.array(z.string()).default([]),
    }),
  }),
});

/** Options of npm that leave younger versions out. */
export interface AgeLimits {
  /** For the package itself. */
  readonly own: readonly string[];
  /** For its dependencies. */
  readonly others: readonly string[];
}

/** The limits of a site root. An invalid section has none: the site does not start with it. */
export async function ageLimits(root: string, name: string): Promise<AgeLimits> {
  const { system } = await readRawConfig(root);
  const { data } = systemShape.safeParse(system);
  const { days, exclude } = data?.packages.minimum_dependency_age ?? { days: 0, exclude: [] };
  if (days === 0) return { own: [], others: [] };
  const others = [`--before=${new Date(Date.now() - days * DAY_MS).toISOString()}`];
  return { own: exclude.includes(name) ? [] : others, others };
}
