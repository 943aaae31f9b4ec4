import assert from "node:assert/strict";
import { createServer, IncomingMessage, ServerResponse, request } from "node:http";
import { once } from "node:events";
import express from "express";
import { type Answer, type SiteContext, definePlugin } from "#kernel";
import { onAnswered, serverClasses } from "#lib/http";
import { jsonAnswer, expectAnswer } from "../../../kernel/http/response/answer.js";
import { bootProbe } from "../../support/sites/probe-site.js";
import { hasFields } from "../../support/hidden-class.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { deferred } from "../../support/deferred.js";

describe("http.send", () => {
  async function send(answer: Answer, options: { setup?: (site: SiteContext) => void } = {}) {
    const site = await bootProbe((context) => {
      context.http.edge(
        "protect",
        (req) =>
          void (req.ctx.responseHeaders = {
            "X-Block": "b",
            "X-Both": "block",
          }),
      );
      options.setup?.(context);
      context.http.use("pages", (req, res) => context.http.send(req, res, answer));
    });
    const res = await site.fetch("/");
    const body = await res.text();
    await site.close();
    return { res, body };
  }

  it("writes status, type, length, its own headers and those of every response", async () => {
    const { res, body } = await send({
      status: 201,
      type: "text/plain; charset=utf-8",
      body: "größe",
      headers: { "X-Both": "own" },
    });
    assert.deepEqual([res.status, body], [201, "größe"]);
    const named = ["content-type", "content-length", "x-block", "x-both"].map((name) =>
      res.headers.get(name),
    );
    assert.deepEqual(named, ["text/plain; charset=utf-8", "7", "b", "own"]);
  });

  it("passes every filter in order, until one responds itself", async () => {
    const seen: string[] = [];
    const { body } = await send(
      { type: "text/plain", body: "plain" },
      {
        setup: ({ http }) => {
          http.filter(
            (_req, _res, answer) => void (answer.body = `${String(answer.body)} filtered`),
          );
          http.filter((req, res, { body: made }) => {
            seen.push(String(made));
            res.end("instead");
            return req.method === "GET";
          });
          http.filter(() => assert.fail("runs no more"));
        },
      },
    );
    assert.deepEqual([body, seen], ["instead", ["plain filtered"]]);
  });

  it("skips the filters for a cached response", async () => {
    const setup = ({ http }: SiteContext): void => http.filter(() => assert.fail("runs"));
    const answer: Answer = { type: "text/plain", body: "cached", skipsFilters: true };
    assert.equal((await send(answer, { setup })).body, "cached");
  });
});

describe("jsonAnswer", () => {
  it("formats a value as JSON, with the given options", () => {
    assert.deepEqual(jsonAnswer({ a: 1 }, { status: 404, cache: { private: true } }), {
      type: "application/json; charset=utf-8",
      body: '{"a":1}',
      status: 404,
      cache: { private: true },
    });
  });
});

describe("http of a plugin", () => {
  const ears = definePlugin({
    name: "ears",
    version: "1.0.0",
    hooks: {
      onApiResponse: ({ data, setData }) =>
        setData({ ...data, status: 202, body: { wrapped: data.body } }),
    },
  });

  it("sends JSON below a JSON prefix through onApiResponse, and other JSON unchanged", async () => {
    const echo = definePlugin({
      name: "echo",
      version: "1.0.0",
      setup: ({ http }) => {
        http.jsonPrefix("/api");
        http.use("routes", (req, res) => http.json(req, res, { path: req.ctx.path }));
      },
    });
    const site = await bootProbe(() => undefined, { extraPlugins: [ears, echo] });
    const inside = await site.fetch("/api/x");
    assert.deepEqual([inside.status, await inside.json()], [202, { wrapped: { path: "/api/x" } }]);
    assert.deepEqual(await (await site.fetch("/apis")).json(), { path: "/apis" });
    await site.close();
  });
});

describe("expectAnswer", () => {
  it("rejects a type and headers that cannot be sent", () => {
    const answer = { type: "text/plain", body: "" };
    assert.equal(expectAnswer(answer), null);
    assert.match(
      expectAnswer({ ...answer, type: "text/html\n" }) ?? "",
      /^type: "Content-Type" is no header/,
    );
    assert.match(
      expectAnswer({ ...answer, type: 7 }) ?? "",
      /^type: expected a string, received 7/,
    );
    assert.match(
      expectAnswer({ ...answer, headers: { a: "\u2026" } }) ?? "",
      /^headers: "a" is no header/,
    );
  });
});

describe("serverClasses", () => {
  it("create requests and responses that Express does not have to change", async () => {
    const app = express();
    const server = createServer(serverClasses(app, (_res, args) => args)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const asked = once(server, "request");
    const answered = fetch(`http://127.0.0.1:${address.port}/`);
    const [req, res] = await asked;
    assert.equal(Object.getPrototypeOf(req), app.request);
    assert.equal(Object.getPrototypeOf(res), app.response);
    assert.ok(req instanceof IncomingMessage && res instanceof ServerResponse);
    assert.ok(hasFields(req) && hasFields(res), "a dictionary makes each answer dearer");
    res.end("done");
    assert.equal(await (await answered).text(), "done");
    server.close();
  });

  it("add the headers of every response, also when a handler responds directly; existing headers win", async () => {
    const site = await bootProbe(({ http }) => {
      http.edge(
        "protect",
        (req) =>
          void (req.ctx.responseHeaders = {
            "X-Block": "block",
            "X-Own": "block",
          }),
      );
      http.use("pages", (_req, res) => res.setHeader("X-Own", "own").status(203).end("by itself"));
    });
    const { status, headers } = await site.fetch("/");
    assert.deepEqual([status, headers.get("x-block"), headers.get("x-own")], [203, "block", "own"]);
    await site.close();
  });
});

describe("onAnswered", () => {
  let site: TestSite;
  afterEach(() => site.close());

  /** Responds to `/answered`, leaves every other path open; records each call of the listener. */
  async function boot() {
    const begun = deferred<void>();
    const ended = deferred<void>();
    const calls = new Array<boolean>();
    const plugin = definePlugin({
      name: "listens",
      version: "1.0.0",
      setup: ({ http }) =>
        http.edge("answer", (req, res) => {
          onAnswered(res, () => {
            calls.push(res.headersSent);
            ended.resolve();
          });
          begun.resolve();
          if (req.ctx.path === "/answered")
            http.send(req, res, { type: "text/plain", body: "yes" });
          return true;
        }),
    });
    site = await bootSite({ plugins: [], extraPlugins: [plugin], undeclared: true });
    return { begun, ended, calls };
  }

  it("calls the listener once when the headers are written", async () => {
    const { calls } = await boot();
    assert.equal(await (await site.fetch("/answered")).text(), "yes");
    assert.deepEqual(calls, [true]);
  });

  it("calls it when the client disconnects before that", async () => {
    const { begun, ended, calls } = await boot();
    const leaving = request(`${site.url}/open`).end();
    leaving.on("error", () => undefined);
    await begun.promise;
    leaving.destroy();
    await ended.promise;
    assert.deepEqual(calls, [false]);
  });
});
