import assert from "node:assert/strict";
import { firstPartyPlugins, firstParty } from "../../plugins/main.js";
import { loadConfig, places } from "../support/sites/config-root.js";
import { pluginNames } from "../support/repository.js";

describe("the list of first-party plugins", () => {
  it("contains every folder of plugins/ once, by its name", async () => {
    const names = firstPartyPlugins.map(({ name }) => name);
    assert.deepEqual(names.toSorted(), pluginNames().toSorted());
    const loaded = await Promise.all(firstPartyPlugins.map(({ load }) => load()));
    assert.deepEqual(
      loaded.map(({ name }) => name),
      names,
    );
    assert.equal(firstParty.plugins, firstPartyPlugins);
  });

  it("forms one configuration: no key is declared twice, and defaults pass every check", async () => {
    const plugins = await Promise.all(firstPartyPlugins.map(({ load }) => load()));
    const { problems } = await loadConfig({ "site.yaml": "title: T" }, { plugins });
    assert.deepEqual(places(problems), []);
  });

  it("runs the checks of the plugins", async () => {
    const plugins = await Promise.all(firstPartyPlugins.map(({ load }) => load()));
    const files = {
      "site.yaml": "title: T\nredirects: { /a: /b, /b: /a }\ntheme: { src: ../x }\n",
      "system.yaml": "images: { cache_dir: content }",
    };
    const { problems } = await loadConfig(files, { plugins });
    assert.deepEqual(
      places(problems)
        .map((place) => place.split(" ")[1])
        .toSorted(),
      ["images.cache_dir", "redirects./a", "theme.src"],
    );
  });
});
