import { SiteError } from "#lib/errors";
import { expectText, nearest, shownValue } from "#lib/values";
import type { Services, SiteContext } from "./contracts.js";
import { callCheck } from "./call-check.js";

type ServiceName = keyof Services & string;

const assertProvide = callCheck(
  "provide",
  {
    name: expectText,
    service: (value) => (value === undefined ? "expected the service, received nothing" : null),
  },
  'site.provide("tides", { next: () => … })',
);
const assertUse = callCheck("use", { name: expectText }, 'site.use("content")');

/** The services of one site: each provided once, by the plugin of that name or for it. */
export class ServiceRegistry {
  readonly #services = new Map<string, { plugin: string; service: unknown }>();
  #sealed = false;

  /** @throws ERR_SERVICE_DUPLICATE, ERR_SEALED. */
  provide<K extends ServiceName>(plugin: string, name: K, service: Services[K]): void {
    assertProvide(name, service);
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

  /** `user` is how messages name the caller. @throws ERR_SERVICE_UNKNOWN. */
  use<K extends ServiceName>(name: K, user: string): Services[K] {
    const service = this.find(name);
    if (service !== undefined) return service;
    const hint = nearest(name, [...this.#services.keys()]);
    // During setup, a plugin that comes later has not provided its services yet.
    const missing = this.#sealed
      ? { text: "no selected plugin provides", fix: "select the plugin that provides it" }
      : {
          text: "no plugin has provided so far",
          fix: "select the plugin that provides it, and name that plugin in requires",
        };
    throw new SiteError(
      "ERR_SERVICE_UNKNOWN",
      `${user} uses the service ${shownValue(name)}, which ${missing.text}`,
      { fix: hint ? `did you mean "${hint}"?` : missing.fix },
    );
  }

  names(): readonly string[] {
    return [...this.#services.keys()];
  }

  seal(): void {
    this.#sealed = true;
  }
}

/** `SiteContext.use` of `user`, a plugin or the host as messages name it. */
export function serviceUser(registry: ServiceRegistry, user: string): SiteContext["use"] {
  function use<K extends ServiceName>(name: K): Services[K];
  function use<K extends ServiceName>(
    name: K,
    options: { optional: true },
  ): Services[K] | undefined;
  function use<K extends ServiceName>(name: K, options?: { optional: true }) {
    assertUse(name);
    return options?.optional ? registry.find(name) : registry.use(name, user);
  }
  return use;
}
