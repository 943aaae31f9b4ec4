import { definePlugin, type SiteContext } from "#kernel";
import { bootSite, type BootOptions, type TestSite } from "./boot-site.js";

/** A minimal site with one plugin, whose `setup` is given. */
export function bootProbe(
  setup: (site: SiteContext) => void,
  options: BootOptions = {},
): Promise<TestSite> {
  const probe = definePlugin({ name: "probe", version: "1.0.0", setup });
  const extraPlugins = [probe, ...(options.extraPlugins ?? [])];
  return bootSite({ plugins: ["health"], undeclared: true, ...options, extraPlugins });
}
