import assert from "node:assert/strict";
import { request } from "node:http";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Logger, silentLog } from "#kernel";
import { AUTH_PLUGINS, bootAuthSite, type AuthSite } from "../../support/sites/auth-site.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";
import { rawRequest } from "../../support/servers/raw-request.js";
import { useSite } from "../../support/sites/use-site.js";

const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  Buffer.alloc(2_000, 7),
]);
const HTML = Buffer.from("<!doctype html><script>alert(1)</script>");
const PLUGINS = ["uploads", "media", "security", "content", "render", "pages"];

function form(name: string, bytes: Buffer, field = "file"): FormData {
  const body = new FormData();
  body.set(field, new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), name);
  return body;
}

async function uploadsIn({ root }: TestSite): Promise<string[]> {
  return readdir(join(root, "data", "uploads")).catch(() => []);
}

describe("an upload of code that the site allows", () => {
  it("is served as bytes", async () => {
    const site = await bootSite({
      plugins: PLUGINS,
      settings: { site: { uploads: { allowed_types: ["application/wasm"] } } },
    });
    const body = form("a.wasm", Buffer.from("0061736d01000000", "hex"));
    const res = await site.fetch("/api/upload", { method: "POST", body });
    assert.equal(res.status, 201);
    const { url, type }: { url: string; type: string } = await res.json();
    assert.equal(type, "application/wasm");
    const { headers } = await site.fetch(url);
    assert.equal(headers.get("content-type"), "application/octet-stream");
    await site.close();
  });
});

describe("POST /api/upload", () => {
  const failures: string[] = [];
  const log: Logger = {
    ...silentLog,
    error: (event) => void failures.push(event),
    child: () => log,
  };
  const site = useSite({
    log,
    plugins: PLUGINS,
    settings: {
      site: { uploads: { max_size_mb: 1 } },
      system: { server: { rate_limit: false } },
    },
  });

  const post = (body: FormData, init: RequestInit = {}): Promise<Response> =>
    site.fetch("/api/upload", { method: "POST", body, ...init });

  it("responds 201 { url, name, type, size } and serves the file at its URL", async () => {
    const res = await post(form("Holiday Photo.JPG", JPEG));
    assert.equal(res.status, 201);
    const answer = (await res.json()) as Record<string, unknown>;
    const { url, name } = answer;
    assert.deepEqual(answer, { url, name, type: "image/jpeg", size: JPEG.length });
    assert.equal(url, `/uploads/${String(name)}`);
    const served = await site.fetch(String(url));
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), JPEG);
    assert.equal(served.headers.get("content-type"), "image/jpeg");
  });

  it("serves files with nosniff, as attachments, in a sandbox, with a permanent name", async () => {
    const { url } = (await (await post(form("a.jpg", JPEG))).json()) as { url: string };
    const { headers } = await site.fetch(url, { method: "HEAD" });
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("content-disposition"), "attachment");
    assert.match(headers.get("content-security-policy") ?? "", /sandbox/);
    assert.match(headers.get("cache-control") ?? "", /immutable/);
    const part = await site.fetch(url, { headers: { range: "bytes=0-3" } });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), JPEG.subarray(0, 4));
    const same = await site.fetch(url, {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    assert.equal(same.status, 304);
  });

  for (const name of [
    "a.php.jpg",
    "../../x.jpg",
    "..\\..\\x.jpg",
    "CON.jpg",
    `${"a".repeat(300)}.jpg`,
  ]) {
    it(`stores nothing of the name ${name.slice(0, 14)}`, async () => {
      const res = await post(form(name, JPEG));
      assert.equal(res.status, 201);
      const { name: stored } = (await res.json()) as { name: string };
      assert.match(stored, /^[0-9a-f]{32}\.jpg$/);
      assert.ok((await uploadsIn(site)).includes(stored));
    });
  }

  for (const [name, bytes, status] of [
    ["x.jpg", HTML, 415],
    ["x.png", JPEG, 415],
    ["x.svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), 415],
    ["x.html", HTML, 415],
    ["x.exe", Buffer.from("MZ"), 415],
    [".htaccess", JPEG, 400],
    ["noextension", JPEG, 400],
    ["empty.jpg", Buffer.alloc(0), 400],
  ] as const) {
    it(`responds ${status} to ${name} with ${bytes.subarray(0, 4).toString("latin1")} and stores nothing`, async () => {
      const before = await uploadsIn(site);
      const res = await post(form(name, bytes));
      assert.equal(res.status, status);
      assert.deepEqual(Object.keys((await res.json()) as object), ["error"]);
      assert.deepEqual(await uploadsIn(site), before);
    });
  }

  it("responds 413 above the limit, with a length, and without one while the file is still arriving", async () => {
    const before = await uploadsIn(site);
    const large = Buffer.concat([JPEG, Buffer.alloc(1_048_576)]);
    assert.equal((await post(form("a.jpg", large))).status, 413);
    assert.equal(await endless(site, "file"), 413);
    assert.equal(await endless(site, "field"), 413);
    assert.deepEqual(await uploadsIn(site), before);
  });

  it("accepts a file of exactly the limit", async () => {
    const exact = Buffer.concat([JPEG, Buffer.alloc(1_048_576 - JPEG.length)]);
    assert.equal((await post(form("a.jpg", exact))).status, 201);
  });

  it("stores nothing of an aborted upload", async () => {
    const before = await uploadsIn(site);
    for (let run = 0; run < 5; run += 1) await breakOff(site);
    await until(async () => (await uploadsIn(site)).length === before.length);
    assert.deepEqual(await uploadsIn(site), before);
    assert.equal((await post(form("a.jpg", JPEG))).status, 201);
  });

  it("responds 400 to a form truncated at any byte, logs no failure and stores nothing", async () => {
    const before = await uploadsIn(site);
    const body = Buffer.concat([
      Buffer.from('--cut\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n'),
      Buffer.from("Content-Type: image/jpeg\r\n\r\n"),
      JPEG.subarray(0, 60),
      Buffer.from("\r\n--cut--\r\n"),
    ]);
    const headers = { "content-type": "multipart/form-data; boundary=cut" };
    const send = (length: number) =>
      site.fetch("/api/upload", { method: "POST", headers, body: body.subarray(0, length) });
    failures.length = 0;
    // The line break after the last boundary is optional.
    for (let length = 0; length < body.length - 2; length += 1) {
      const res = await send(length);
      assert.equal(res.status, 400, `${length} of ${body.length} bytes`);
      assert.equal(typeof ((await res.json()) as { error: string }).error, "string");
    }
    assert.deepEqual(failures, []);
    assert.deepEqual(await uploadsIn(site), before);
    assert.equal((await send(body.length)).status, 201);
  });

  it("leaves no temporary file of a truncated form", async () => {
    const before = await uploadsIn(site);
    const head = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), JPEG, Buffer.alloc(100_000, 7)]);
    const headers = { "content-type": "multipart/form-data; boundary=cut" };
    failures.length = 0;
    assert.equal((await site.fetch("/api/upload", { method: "POST", headers, body })).status, 400);
    assert.deepEqual([failures, await uploadsIn(site)], [[], before]);
  });

  it("responds 400 or 415 to invalid forms, no file, two files, or nested fields", async () => {
    const two = form("a.jpg", JPEG);
    two.append("file", new Blob([new Uint8Array(JPEG)]), "b.jpg");
    const nested = form("a.jpg", JPEG);
    nested.set("a[b][c][d]", "1");
    const many = form("a.jpg", JPEG);
    for (let at = 0; at < 20; at += 1) many.set(`field${at}`, "1");
    const none = new FormData();
    none.set("file", "text");
    const before = await uploadsIn(site);
    for (const body of [two, nested, many, none, form("a.jpg", JPEG, "other")]) {
      assert.equal((await post(body)).status, 400);
    }
    const html = form("a.jpg", HTML);
    html.append("file", new Blob([new Uint8Array(JPEG)]), "b.jpg");
    assert.equal((await post(html)).status, 415, "the error of the file comes first");
    assert.deepEqual(await uploadsIn(site), before);
    for (const [type, body, status] of [
      ["multipart/form-data", "x", 400],
      ["multipart/form-data; boundary=", "", 400],
      ["multipart/form-data; boundary=a", "--a\r\nnonsense", 400],
      ["application/json", "{}", 415],
      ["application/x-www-form-urlencoded", "file=x", 415],
    ] as const) {
      const res = await site.fetch("/api/upload", {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
      assert.equal(res.status, status, type);
      assert.match(res.headers.get("content-type") ?? "", /json/);
    }
  });

  it("does not respond 500 to a NUL in a name", async () => {
    const body =
      '--a\r\nContent-Disposition: form-data; name="file"; filename="a\0.jpg"\r\n\r\nx\r\n--a--\r\n';
    const answer = await rawRequest(
      site.url,
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    assert.equal(answer.status, 400);
  });

  it("is not read, and responds 405", async () => {
    const res = await site.fetch("/api/upload");
    assert.equal(res.status, 405);
    assert.equal(res.headers.get("allow"), "POST");
  });

  for (const path of [
    "/uploads/",
    "/uploads/none.jpg",
    `/uploads/${"a".repeat(32)}.jpg`,
    "/uploads/..%2f..%2fsite.yaml",
    "/uploads/%2e%2e%2fsite.yaml",
    "/uploads/.tmp-0011223344556677",
  ]) {
    it(`responds 404 to ${path}`, async () => assert.equal((await site.fetch(path)).status, 404));
  }
});

describe("uploads by visitors", () => {
  let site: AuthSite;
  afterEach(() => site.close());
  const boot = async (uploads: unknown, auth?: Record<string, unknown>): Promise<void> => {
    site = await bootAuthSite(auth, {
      plugins: [...AUTH_PLUGINS, "uploads"],
      settings: { site: { uploads } },
    });
  };
  const post = (headers: Record<string, string> = {}): Promise<Response> =>
    site.fetch("/api/upload", { method: "POST", headers, body: form("a.jpg", JPEG) });

  it("respond 404 without the block, and there is no folder", async () => {
    await boot(undefined);
    assert.equal((await post()).status, 404);
    assert.equal((await site.fetch(`/uploads/${"a".repeat(32)}.jpg`)).status, 404);
    assert.deepEqual(await uploadsIn(site), []);
  });

  it("respond 401 with require_auth before the body arrives, and 201 when logged in", async () => {
    await boot({ require_auth: true }, { providers: { magicLink: { enabled: true } } });
    const head =
      "POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=a\r\n";
    const answer = await rawRequest(site.url, `${head}Content-Length: 500\r\n\r\n--a`);
    assert.equal(answer.status, 401);
    const visitor = await site.loggedIn("ann@example.org");
    const cookie = `site_auth=${visitor.cookie("site_auth")}`;
    assert.equal((await post({ cookie })).status, 201);
  });

  it("respond 403 to another site's request with a cookie", async () => {
    await boot({}, { providers: { magicLink: { enabled: true } } });
    const visitor = await site.loggedIn("ann@example.org");
    const cookie = `site_auth=${visitor.cookie("site_auth")}`;
    assert.equal((await post({ cookie, origin: "https://evil.example" })).status, 403);
    assert.equal((await post({ cookie, "sec-fetch-site": "cross-site" })).status, 403);
    assert.equal((await post({ cookie, origin: "http://site.example:8000" })).status, 201);
    assert.deepEqual((await uploadsIn(site)).length, 1);
  });

  it("are impossible with require_auth and no accounts, with a warning at startup", async () => {
    await boot({ require_auth: true });
    assert.equal((await post()).status, 401);
    assert.ok(site.log.some((line) => line.startsWith("uploads.auth_missing")));
  });

  it("respond 429 like requests of the API", async () => {
    site = await bootAuthSite(undefined, {
      plugins: [...AUTH_PLUGINS, "uploads"],
      settings: { site: { uploads: {} }, system: { server: { rate_limit: 3 } } },
    });
    for (let at = 0; at < 3; at += 1) assert.equal((await post()).status, 201);
    const res = await post();
    assert.equal(res.status, 429);
    assert.ok(Number(res.headers.get("retry-after")) > 0);
  });

  it("respond 507 above the total size, while reading continues", async () => {
    await boot({ max_total_mb: 0.003 });
    const first = await post();
    const { url } = (await first.json()) as { url: string };
    assert.equal((await post()).status, 507);
    assert.equal((await site.fetch(url)).status, 200);
  });
});

const HEAD =
  '--a\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';

/** Sends a file or field beyond every limit; resolves with the status of the response. */
function endless({ url }: TestSite, what: "file" | "field"): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/upload`, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=a" },
    });
    sent.on("response", (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
      sent.destroy();
    });
    sent.on("error", reject);
    sent.write(what === "file" ? HEAD : '--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n');
    sent.write(JPEG);
    // The form announces more than it sends: the response does not wait for it.
    sent.write(Buffer.alloc(1_300_000, 1));
  });
}

/** Starts an upload and disconnects in the middle. */
async function breakOff({ url }: TestSite): Promise<void> {
  const sent = request(`${url}/api/upload`, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=a" },
  });
  sent.on("error", () => undefined);
  sent.write(HEAD);
  sent.write(Buffer.concat([JPEG, Buffer.alloc(200_000)]));
  await delay(50);
  sent.destroy();
}
