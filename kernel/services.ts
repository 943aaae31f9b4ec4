import type { Services, SiteContext } from "./contracts.js";
import { SiteError } from "./errors.js";
import { nearest } from "./config/nearest.js";

type ServiceName = keyof Services & string;

/** The services of one site: each provided once, by the plugin of that name or for it. */
export class ServiceRegistry {
  readonly #services = new Map<string, { plugin: string; service: unknown }>();
  #sealed = false;

  /** @throws ERR_SERVICE_DUPLICATE, ERR_SEALED. */
  provide<K extends ServiceName>(plugin: string, name: K, service: Services[K]): void {
    if (this.#sealed) {
      throw new SiteError("ERR_SEALED", `plugin "${plugin}" provides "${name}" after the boot`, {
        fix: "call provide in setup",
      });
    }
    const other = this.#services.get(name);
    if (other) {
      throw new SiteError(
        "ERR_SERVICE_DUPLICATE",
        `plugins "${other.plugin}" and "${plugin}" both provide the service "${name}"`,
        { fix: "select one of them" },
      );
    }
    this.#services.set(name, { plugin, service });
  }

  find<K extends ServiceName>(name: K): Services[K] | undefined {
    return this.#services.get(name)?.service as Services[K] | undefined;
  }

  /** @throws ERR_SERVICE_UNKNOWN. */
  use<K extends ServiceName>(name: K, user: string): Services[K] {
    const service = this.find(name);
    if (service !== undefined) return service;
    const hint = nearest(name, [...this.#services.keys()]);
    throw new SiteError(
      "ERR_SERVICE_UNKNOWN",
      `plugin "${user}" uses the service "${name}", which no selected plugin provides`,
      { fix: hint ? `did you mean "${hint}"?` : `select plugin "${name}" and add it to requires` },
    );
  }

  names(): readonly string[] {
    return [...this.#services.keys()];
  }

  seal(): void {
    this.#sealed = true;
  }
}

/** `SiteContext.use` of a plugin. */
export function serviceUser(registry: ServiceRegistry, plugin: string): SiteContext["use"] {
  function use<K extends ServiceName>(name: K): Services[K];
  function use<K extends ServiceName>(
    name: K,
    options: { optional: true },
  ): Services[K] | undefined;
  function use<K extends ServiceName>(name: K, options?: { optional: true }) {
    return options?.optional ? registry.find(name) : registry.use(name, plugin);
  }
  return use;
}
