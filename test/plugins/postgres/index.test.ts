import assert from "node:assert/strict";
import pg from "pg";
import { assertNodeVersion } from "../../../plugins/postgres/index.js";
import { jobNodesSuite } from "../../support/suites/job-nodes-suite.js";
import { JobNodes, type NodeOptions } from "../../support/suites/job-nodes.js";
import { needsNode22 } from "../../support/servers/shared-jobs.js";
import { usePgBouncer, usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

describe("nodes that share PostgreSQL", () => {
  let url = "";
  const nodes = new JobNodes();
  before(function () {
    needsNode22(this);
  });
  beforeEach(async function () {
    url = (await usePostgres(this)).url;
    await nodes.open();
  });
  afterEach(async () => {
    await nodes.close();
  });

  jobNodesSuite({ use: usePostgres, downCode: "ERR_POSTGRES_DOWN" });

  describe("do not start", () => {
    const refused = async (at: string, code: string, options: NodeOptions = {}): Promise<void> => {
      await assert.rejects(nodes.boot("refused", at, options), (error: Error) => {
        assert.ok("code" in error && "fix" in error);
        assert.equal(error.code, code);
        assert.ok(typeof error.fix === "string" && error.fix.length > 10);
        assert.doesNotMatch(`${error.message} ${error.fix}`, /site-test|wrong-secret/);
        return true;
      });
    };
    const changed = (change: (url: URL) => void): string => {
      const other = new URL(url);
      change(other);
      return other.href;
    };

    it("with a wrong password", () =>
      refused(
        changed((other) => (other.password = "wrong-secret")),
        "ERR_POSTGRES_LOGIN",
      ));

    it("with a database that does not exist", () =>
      refused(
        changed((other) => (other.pathname = "/missing")),
        "ERR_POSTGRES_LOGIN",
      ));

    it("while nothing listens at the address", () =>
      refused(
        changed((other) => (other.port = "1")),
        "ERR_POSTGRES_UNREACHABLE",
      ));

    it("through a pooler in transaction mode", async function () {
      await refused((await usePgBouncer(this, url, "transaction")).url, "ERR_POSTGRES_POOLER");
    });

    it("with an address of another kind", () =>
      refused("mysql://localhost/site", "ERR_POSTGRES_URL"));

    it("on the database of another site", async () => {
      await nodes.boot("a", url);
      await refused(url, "ERR_POSTGRES_SITE", { settings: { site: { title: "Another" } } });
    });

    it("on tables of a newer version", async () => {
      await (await nodes.boot("a", url)).close();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("insert into site_shared_migrations values ('999-later', '2030-01-01')");
      await refused(url, "ERR_DATABASE_NEWER");
      const others = async (): Promise<unknown[]> => {
        const { rows } = await client.query<{ pid: number }>(
          "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
        return rows;
      };
      try {
        // PostgreSQL ends a session shortly after its client; an idle pool would take 10 s.
        await until(async () => (await others()).length === 0, 2).catch(() => undefined);
        assert.deepEqual(await others(), [], "the refused node left connections");
      } finally {
        await client.end();
      }
    });
  });
});

describe("shared jobs on an older Node.js", () => {
  it("stop the start with the version found, the one needed and the fix", () => {
    for (const version of ["20.20.2", "22.11.0"]) {
      assert.throws(() => assertNodeVersion(version), {
        code: "ERR_POSTGRES_NODE",
        message: new RegExp(`22\\.12 or newer, and this is ${version}`),
        fix: /Node\.js 22\.12 or newer/,
      });
    }
    for (const version of ["22.12.0", "22.23.5", "24.0.0"]) assertNodeVersion(version);
  });
});
