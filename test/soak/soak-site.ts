// A site to soak, as a process of its own, and the bare server it is compared with.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeContent } from "../../bench/support/content-files.js";
import { startServer } from "../../bench/support/server-process.js";
import { freePort } from "../../scripts/services/server-process.js";
import { bootSite } from "../support/sites/boot-site.js";
import { gradient } from "../support/content/pictures.js";
import { startProcess } from "../support/processes/site-process.js";
import { startReceiver } from "../support/servers/webhook-receiver.js";

const PAGES = 500;
const bareServer = fileURLToPath(new URL("../../bench/support/raw-server.mjs", import.meta.url));

/** The account that edits. */
export const account = { username: "editor", password: "correct horse battery" };
/** The page with pictures. */
export const GALLERY = "01.home";

/** What is soaked. */
export interface SoakSite {
  readonly root: string;
  readonly url: string;
  /** Process id of the site. */
  readonly pid: number;
  /** A `node:http` server that sends the bytes of the home page. */
  readonly bareUrl: string;
  /** Deliveries of webhooks that have arrived. */
  delivered(): number;
  /** The output of the site. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts everything; resolves when the site is ready. `command`: a prefix of the server's command. */
export async function startSoakSite(
  options: { command?: readonly string[] } = {},
): Promise<SoakSite> {
  const root = mkdtempSync(join(tmpdir(), "site-soak-"));
  const receiver = await startReceiver();
  writeContent(root, PAGES);
  for (const name of ["sea", "hill"]) {
    const file = join(root, `content/${GALLERY}/${name}.jpg`);
    writeFileSync(file, await gradient(1600, 1000).jpeg().toBuffer());
  }
  // JSON is YAML.
  const system = {
    server: { rate_limit: false },
    images: { queue: { misses_per_minute: 100_000 } },
    logging: { level: "warn" },
  };
  writeFileSync(join(root, "system.yaml"), JSON.stringify(system));
  const webhooks = [{ url: receiver.url, events: ["onPageUpdate"] }];
  writeFileSync(join(root, "admin.yaml"), JSON.stringify({ webhooks }));
  await createAccount(root);
  const port = await freePort();
  const server = startProcess(["serve", "--root", root, "--port", String(port)], options);
  const end = (): void => void server.child.kill("SIGKILL");
  process.once("exit", end);
  await server.printed(/ready after/);
  const url = `http://127.0.0.1:${port}`;
  const answers = join(root, "..", `${root.slice(-6)}-answers.json`);
  const body = Buffer.from(await (await fetch(url)).arrayBuffer()).toString("base64");
  writeFileSync(answers, JSON.stringify([{ path: "/", headers: {}, body }]));
  const bare = await startServer([bareServer, answers]);
  return {
    root,
    url,
    pid: server.child.pid ?? 0,
    bareUrl: bare.url,
    delivered: () => receiver.received.length,
    output: server.text,
    stop: async () => {
      server.child.kill("SIGTERM");
      if (server.child.exitCode === null) await once(server.child, "exit");
      process.removeListener("exit", end);
      await bare.stop();
      await receiver.close();
      for (const path of [root, answers]) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function createAccount(root: string): Promise<void> {
  const site = await bootSite({ root, plugins: ["auth", "session", "users"] });
  const users = site.site.use("users");
  const email = "editor@example.org";
  const user = await users.create({
    email,
    username: account.username,
    provider: "local",
    roles: ["admin"],
  });
  await users.setPassword(user.id, account.password);
  await site.close();
}
