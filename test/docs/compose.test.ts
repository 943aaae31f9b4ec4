import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { atomicWrite } from "#kernel";
import { startCaddy } from "../../scripts/services/caddy.js";
import type { Program } from "../../scripts/services/debian-program.js";
import { freePort, type ServerProcess } from "../../scripts/services/server-process.js";
import { useFolder } from "../support/folder.js";
import { picture } from "../support/content/pictures.js";
import { repository } from "../support/repository.js";
import { useCaddy, usePostgres, useRedis, useS3 } from "../support/services.js";
import { needsNode22 } from "../support/servers/shared-jobs.js";
import { startProcess, type SiteProcess } from "../support/processes/site-process.js";
import { until } from "../support/until.js";

const page = readFileSync(
  join(repository, "content/05.operate/13.several-containers/docs.md"),
  "utf8",
);
const password = "correct horse battery";

/** A code block of the page whose first line is a comment with this name. */
function block(name: string): string {
  const blocks = [...page.matchAll(/```\w+\n# (\S+)\n([^]*?)```/g)];
  return blocks.find(([, title]) => title === name)?.[2] ?? assert.fail(`no block ${name}`);
}

const service = z.object({
  image: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.string().optional(),
  command: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(block("compose.yaml"), { merge: true }));

describe("the Compose file of the documentation", () => {
  it("mounts declared volumes and files of the page, and depends on its own services", () => {
    const files = ["Caddyfile", "config/site.yaml", "config/system.yaml"];
    const folders = ["content", "flex-objects", "data"];
    const listed = /```text\n([^]*?)```/.exec(page)?.[1]?.split("\n") ?? [];
    for (const { volumes, depends_on: needed } of Object.values(compose.services)) {
      for (const [from = ""] of volumes.map((volume) => volume.split(":"))) {
        if (!from.startsWith("./")) assert.ok(from in compose.volumes, from);
        else assert.ok([...files, ...folders].includes(from.slice(2)), from);
      }
      const names = Array.isArray(needed) ? needed : Object.keys(needed);
      for (const name of names) assert.ok(name in compose.services, name);
    }
    for (const file of files) assert.ok(listed.includes(file) && block(file) !== "", file);
    for (const folder of folders) assert.ok(listed.includes(`${folder}/`), folder);
  });

  it("gives the nodes the same files, their own .dune/ and the addresses of its stores", () => {
    const { "node-a": a, "node-b": b } = compose.services;
    const shared = (one: typeof a): string[] =>
      one?.volumes.filter((volume) => volume.startsWith("./")) ?? [];
    assert.deepEqual(shared(a), shared(b));
    assert.notEqual(a?.environment["SITE_NODE"], b?.environment["SITE_NODE"]);
    assert.deepEqual([a?.env_file, b?.env_file], ["nodes.env", "nodes.env"]);
    const variables = environmentOf(block("nodes.env"));
    const hosts = ["SITE_DB_URL", "SITE_REDIS_URL"].map(
      (name) => new URL(variables[name] ?? "").hostname,
    );
    for (const host of hosts) assert.ok(host in compose.services, host);
  });
});

describe("the nodes of the Compose file as local processes", function () {
  this.timeout(180_000);
  const folder = useFolder();
  let program: Program;
  let stores: { redis: string; postgres: string; s3: Awaited<ReturnType<typeof useS3>> };
  let caddy: ServerProcess | null = null;
  const nodes: SiteProcess[] = [];
  before(async function () {
    needsNode22(this);
    program = await useCaddy(this);
    const [{ url: redis }, { url: postgres }] = [await useRedis(this), await usePostgres(this)];
    stores = { redis, postgres, s3: await useS3(this) };
  });
  afterEach(async () => {
    for (const { child, ended } of nodes.splice(0)) {
      child.kill("SIGKILL");
      await ended();
    }
    await caddy?.stop();
  });

  /** The variables of a node: those of the page, with the addresses of this machine. */
  function environment(name: string): Record<string, string> {
    return {
      ...environmentOf(block("nodes.env")),
      ...compose.services[`node-${name}`]?.environment,
      SITE_DB_URL: stores.postgres,
      SITE_REDIS_URL: stores.redis,
      SITE_S3_ACCESS_KEY_ID: stores.s3.accessKeyId,
      SITE_S3_SECRET_ACCESS_KEY: stores.s3.secretAccessKey,
    };
  }

  async function prepare(): Promise<void> {
    const content = join(folder.path, "content");
    await atomicWrite(join(content, "01.home/default.md"), "---\ntitle: Home\n---\nHello\n");
    await atomicWrite(join(content, "01.home/sea.png"), await picture(900, 600));
    const system = block("config/system.yaml")
      .replaceAll("http://s3:8333", stores.s3.endpoint)
      .replaceAll("bucket: notes", `bucket: ${stores.s3.bucket}`);
    for (const name of ["a", "b"]) {
      const root = join(folder.path, name);
      await mkdir(root);
      await symlink(content, join(root, "content"));
      await atomicWrite(join(root, "site.yaml"), block("config/site.yaml"));
      await atomicWrite(join(root, "system.yaml"), system);
    }
  }

  async function start(name: string, port: number): Promise<SiteProcess> {
    const words = ["serve", "--root", join(folder.path, name), "--port", String(port)];
    const node = startProcess(words, { env: environment(name) });
    nodes.push(node);
    await node.printed(/ready after|"site\.ready"|"ready"/);
    return node;
  }

  it("serve one site", async () => {
    await prepare();
    const made = startProcess(
      [
        "users:create",
        "--root",
        join(folder.path, "a"),
        "--username",
        "admin",
        "--email",
        "admin@example.org",
        "--role",
        "admin",
        "--password",
        password,
      ],
      { env: environment("a") },
    );
    assert.equal(await made.ended(), 0, made.text());
    const ports = { a: await freePort(), b: await freePort() };
    const first = await start("a", ports.a);
    await start("b", ports.b);
    const url = `http://127.0.0.1:${await freePort()}`;
    const caddyfile = block("Caddyfile")
      .replace("example.org", url)
      .replace("node-a:8000", `127.0.0.1:${ports.a}`)
      .replace("node-b:8000", `127.0.0.1:${ports.b}`);
    caddy = await startCaddy(program, caddyfile);
    const visitor = { redirect: "manual" } as const;
    await until(async () => (await fetch(url, visitor)).status === 200);

    // Logged in through the balancer, known to both nodes.
    const send = await logIn(url);
    const to = (port: number): string => `http://127.0.0.1:${port}`;
    const saved = await send(`${to(ports.a)}/admin/api/pages`, {
      path: "02.news/default.md",
      content: "---\ntitle: News\n---\nThe harbour\n",
    });
    assert.equal(saved.status, 201, await saved.text());
    await until(async () => (await fetch(`${to(ports.b)}/news`)).status === 200);

    const image = await fetch(`${url}/content-media/01.home/sea.png?w=320`);
    assert.equal(image.status, 200);
    await image.arrayBuffer();
    const uploaded = await upload(to(ports.a), await picture(30, 20));
    assert.equal((await fetch(to(ports.b) + uploaded)).status, 200);
    const inBucket = async (name: RegExp): Promise<boolean> =>
      (await stores.s3.keys(stores.s3.bucket)).some((key) => name.test(key));
    assert.ok(await inBucket(/^uploads\//), "the upload is not in the bucket");
    await until(() => inBucket(/^(?!uploads\/)/));

    const status = startProcess(["cluster:status", "--json", "--root", join(folder.path, "a")], {
      env: environment("a"),
    });
    assert.equal(await status.ended(), 0, status.text());
    assert.match(status.text(), /"a"[^]*"b"/);

    first.child.kill("SIGTERM");
    assert.equal(await first.ended(), 0, first.text());
    assert.equal((await fetch(`${url}/news`)).status, 200);
  });
});

function environmentOf(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes("="));
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}

/** The address of an uploaded picture. */
async function upload(url: string, bytes: Buffer): Promise<string> {
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "sea.png");
  const response = await fetch(`${url}/api/upload`, { method: "POST", body });
  const text = await response.text();
  assert.equal(response.status, 201, text);
  return z.object({ url: z.string() }).parse(JSON.parse(text)).url;
}

/** Logs in; resolves with a function that posts JSON. */
async function logIn(url: string): Promise<(address: string, body: unknown) => Promise<Response>> {
  const json = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const login = await fetch(`${url}/admin/login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ username: "admin", password }),
  });
  const text = await login.text();
  assert.equal(login.status, 200, text);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(JSON.parse(text));
  const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const headers = { ...json, cookie, "x-csrf-token": csrfToken };
  return (address, body) => fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
}
