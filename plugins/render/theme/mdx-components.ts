import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ThemeHolder } from "../service.js";

const FILES = ["mdx-components.tsx", "mdx-components.ts", "mdx-components.js"];

/** Components for MDX from `mdx-components` of the theme chain; the child overrides the parent. */
export async function loadComponents(
  holder: ThemeHolder,
): Promise<Readonly<Record<string, unknown>>> {
  const components: Record<string, unknown> = {};
  for (const theme of holder.active.chain.toReversed()) {
    const file = FILES.map((name) => join(theme.folder, name)).find((path) => existsSync(path));
    if (file !== undefined) Object.assign(components, componentsIn(await holder.module(file)));
  }
  return components;
}

function componentsIn(module: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { default: main, ...named } = module;
  return typeof main === "object" && main !== null ? { ...main, ...named } : named;
}
