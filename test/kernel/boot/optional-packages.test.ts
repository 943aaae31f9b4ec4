import assert from "node:assert/strict";
import { definePlugin, OptionalPackages, type SiteContext } from "#kernel";
import { installCommand, loadOptional } from "#lib/packages";
import { bootSite } from "../../support/sites/boot-site.js";
import { filesOf, textOf } from "../../support/repository.js";

const MISSING = "no-package-of-this-name";
const need = (packages: readonly string[], neededBy: string | null) =>
  new OptionalPackages({ plugin: "boats", packages, neededBy: () => neededBy });

describe("optional packages", () => {
  it("stop the start with the plugin, the key and the command", async () => {
    const start = (packages: OptionalPackages) =>
      bootSite({
        extraPlugins: [
          definePlugin({
            name: "boats",
            version: "1.0.0",
            setup: (site) => packages.assertInstalled(site),
          }),
        ],
      });
    await assert.rejects(start(need(["redis", MISSING], "boats.store: db")), {
      code: "ERR_PACKAGE_MISSING",
      message: `\`boats.store: db\` (plugin boats) needs the package ${MISSING}: not installed`,
      fix: `npm install ${MISSING}`,
    });
    for (const packages of [
      need([MISSING], null),
      need(["redis", "@modelcontextprotocol/sdk", "@mdx-js/mdx"], "boats.store: db"),
    ]) {
      await (await start(packages)).close();
    }
  });

  it("are reported by `site doctor`, when the site needs them", async () => {
    const contexts: SiteContext[] = [];
    const note = definePlugin({
      name: "boats",
      version: "1.0.0",
      setup: (site) => void contexts.push(site),
    });
    const site = await bootSite({ extraPlugins: [note] });
    try {
      const [{ settings, paths, runtime } = assert.fail()] = contexts;
      const place = { settings, paths, env: runtime.env, site: assert.fail };
      const seen = "`boats.store: db` (plugin boats) needs the package";
      assert.deepEqual(await need(["redis", MISSING], "boats.store: db").diagnostic.run(place), [
        { level: "ok", seen: `${seen} redis, which is installed` },
        {
          level: "error",
          seen: `${seen} ${MISSING}, which is not installed`,
          fix: `npm install ${MISSING}`,
        },
      ]);
      assert.deepEqual(await need([MISSING], null).diagnostic.run(place), []);
    } finally {
      await site.close();
    }
  });

  it("that are missing are named where they are loaded, other errors are passed on", async () => {
    const load = (): Promise<never> => Promise.reject(new Error("broken"));
    const loaded = (packages: readonly string[]) =>
      loadOptional(load, { plugin: "boats", packages, neededBy: "site boats" });
    await assert.rejects(loaded([MISSING]), { code: "ERR_PACKAGE_MISSING" });
    await assert.rejects(loaded(["redis"]), { message: "broken" });
  });

  it("have a command with versions, which a shell reads as written", () => {
    assert.match(
      installCommand(["redis", "connect-redis"]),
      /^npm install redis@\^\d\S+ connect-redis@\^\d\S+$/,
    );
    assert.match(installCommand(["esbuild"]), /^npm install "esbuild@>=[^"]+"$/);
  });
});

describe("the packages that plugins need", () => {
  const { dependencies, peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
    textOf("package.json"),
  ) as Record<string, Record<string, unknown>>;

  it("are optional peers, and installed for the tests", () => {
    const sources = filesOf("plugins/**/*.ts");
    const named = sources.flatMap((file) =>
      [...textOf(file).matchAll(/packages: \[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
        [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name),
      ),
    );
    assert.ok(named.length > 10);
    for (const name of new Set(named)) {
      assert.ok(peerDependencies?.[name] !== undefined, name);
      assert.ok(devDependencies?.[name] !== undefined, name);
    }
  });

  it("are not installed with Sitewright", () => {
    for (const name of Object.keys(peerDependencies ?? {})) {
      assert.deepEqual(peerDependenciesMeta?.[name], { optional: true }, name);
      assert.equal(dependencies?.[name], undefined, name);
    }
  });
});
