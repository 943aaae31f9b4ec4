import assert from "node:assert/strict";
import type { Answer, SiteContext } from "#kernel";
import { jsonAnswer } from "../../../kernel/http/response/answer.js";
import { bootProbe } from "../../support/sites/probe-site.js";

describe("http.send", () => {
  async function send(
    answer: Answer,
    options: { method?: string; setup?: (site: SiteContext) => void } = {},
  ) {
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
    const res = await site.fetch("/", { method: options.method ?? "GET" });
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

  it("sends HEAD the headers of GET and no body", async () => {
    const { res, body } = await send(
      { type: "text/plain", body: Buffer.from("bytes") },
      { method: "HEAD" },
    );
    assert.deepEqual([res.headers.get("content-length"), body], ["5", ""]);
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
