// A server with two workers whose files change constantly: each worker must come to equal a fresh start.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootSite } from "../../support/sites/boot-site.js";
import { CHURNED_FILES, CHURNED_SYSTEM } from "../../support/churn/churned-files.js";
import { FILE_OPERATIONS } from "../../support/churn/file-operations.js";
import { HTTP_OPERATIONS, type ChurnedServer } from "../../support/churn/http-operations.js";
import { Random } from "../../support/churn/random.js";
import { ROOT_OPERATIONS } from "../../support/churn/root-operations.js";
import { runOne } from "../../support/churn/run-one.js";
import { copyRoot, difference, shown, stateOf } from "../../support/churn/site-state.js";
import { useFolder } from "../../support/folder.js";
import {
  startWorkers,
  type WorkerClient,
  type WorkersServer,
} from "../../support/processes/site-workers.js";
import { until } from "../../support/until.js";

const OPERATIONS = Number(process.env.SITE_CHURN_OPERATIONS ?? 500);
const SEED = Number(process.env.SITE_CHURN_SEED ?? 1);
/** Operations between two comparisons. */
const BETWEEN = 100;

describe("workers whose files change constantly", function () {
  this.timeout(600_000);
  const folder = useFolder();
  const random = new Random(SEED);
  const copies = mkdtempSync(join(tmpdir(), "site-churn-workers-"));
  let server: WorkersServer;
  afterEach(() => server.stop("SIGKILL"));
  after(() => rmSync(copies, { recursive: true, force: true }));

  it(`equal a fresh start after ${OPERATIONS} operations`, async () => {
    const root = join(folder.path, "site");
    const system = JSON.stringify({ ...CHURNED_SYSTEM, server: { rate_limit: false } });
    const { "system.yaml": _, "site.yaml": site, ...files } = CHURNED_FILES;
    server = await startWorkers({
      root,
      system,
      files: { ...files, "site.yaml": `${site}health_token: 0123456789abcdef\n` },
    });
    const clients = await server.clients();
    assert.equal(clients.length, 2);
    const churned: ChurnedServer = {
      random,
      root,
      clients,
      auth: server.auth,
      content: join(root, "content"),
      away: join(root, "away"),
    };
    const operations = [...FILE_OPERATIONS, ...ROOT_OPERATIONS, ...HTTP_OPERATIONS].map(
      ([weight, operation]) => [weight, () => operation(churned)] as const,
    );
    try {
      for (let done = 0; done < OPERATIONS; done += BETWEEN) {
        for (let count = 0; count < BETWEEN; count += 1) await runOne(random, operations);
        await compare(root, clients);
      }
    } catch (error) {
      const seed = `SITE_CHURN_SEED=${SEED} SITE_CHURN_OPERATIONS=${OPERATIONS}`;
      throw new Error(`${seed} repeats this`, { cause: error });
    }
  });

  /** Both workers must respond as a fresh server by themselves. */
  async function compare(from: string, clients: readonly WorkerClient[]): Promise<void> {
    const root = join(copies, "fresh");
    copyRoot(from, root);
    const fresh = await bootSite({ root, env: { SITE_ENV: "production" } });
    const state = await stateOf(fresh);
    await fresh.close();
    const expected = new Map([...state].filter(([path]) => path.startsWith("/")));
    for (const client of clients) {
      let found: string | null = "";
      const isEqual = async (): Promise<boolean> => {
        const responses = new Map<string, unknown>();
        for (const path of expected.keys()) {
          responses.set(path, shown(await client.send("GET", path), server.url));
        }
        return (found = difference(responses, expected)) === null;
      };
      await until(isEqual).catch(() => assert.fail(found ?? ""));
    }
  }
});
