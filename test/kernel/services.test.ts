import assert from "node:assert/strict";
import { ServiceRegistry } from "../../kernel/services.js";

describe("ServiceRegistry", () => {
  const service = { stats: () => ({}) } as never;

  it("returns provided services, and undefined from find for others", () => {
    const services = new ServiceRegistry();
    services.provide("cache", "cache", service);
    assert.equal(services.use("cache", "me"), service);
    assert.equal(services.find("health"), undefined);
  });

  it("names user, service and the nearest name when it is missing", () => {
    const services = new ServiceRegistry();
    services.provide("cache", "cache", service);
    assert.throws(() => services.use("cahce" as "cache", 'plugin "me"'), {
      code: "ERR_SERVICE_UNKNOWN",
      message: 'plugin "me" uses the service "cahce", which no plugin has provided so far',
      fix: 'did you mean "cache"?',
    });
    assert.throws(() => services.use("health", 'plugin "me"'), {
      fix: "select the plugin that provides it, and name that plugin in requires",
    });
    services.seal();
    assert.throws(() => services.use("health", "the command"), {
      message: 'the command uses the service "health", which no selected plugin provides',
      fix: "select the plugin that provides it",
    });
  });

  it("rejects a second provider, naming both, and anything after sealing", () => {
    const services = new ServiceRegistry();
    services.provide("one", "cache", service);
    assert.throws(() => services.provide("two", "cache", service), {
      code: "ERR_SERVICE_DUPLICATE",
      message: /"one" and "two"/,
    });
    services.seal();
    assert.throws(() => services.provide("late", "health", service), { code: "ERR_SEALED" });
  });
});
