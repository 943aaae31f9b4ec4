import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { HttpError, SiteError } from "#kernel";
import { receiveFile, type IncomingFile } from "../../../../plugins/uploads/engines/multer.js";

/** The result of a form. */
interface Outcome {
  result?: string;
  error?: SiteError;
  discarded: string[];
}

describe("the file of a form", () => {
  let url: string;
  let close: () => Promise<void>;
  let keep: (file: IncomingFile) => Promise<string>;
  let outcomes: Outcome[];
  let told: () => void;
  let next: Promise<void>;
  beforeEach(async () => {
    outcomes = [];
    keep = read;
    await listen();
  });
  afterEach(() => close());

  async function listen(): Promise<void> {
    const app = express();
    next = new Promise((resolve) => (told = resolve));
    app.post("/", async (req, res) => {
      const discarded: string[] = [];
      try {
        const result = await receiveFile(req, res, {
          field: "file",
          maxBytes: 300_000,
          keep: (file) => keep(file),
          discard: async (stored) => void discarded.push(stored),
          tooLarge: () => new HttpError(413, "too large"),
        });
        outcomes.push({ result, discarded });
      } catch (error) {
        outcomes.push({ discarded, ...(error instanceof SiteError && { error }) });
      }
      res.end();
      told();
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
  }

  async function read({ name, stream }: IncomingFile): Promise<string> {
    let size = 0;
    for await (const chunk of stream) size += (chunk as Buffer).length;
    return `${name} ${size}`;
  }

  const post = async (body: FormData): Promise<Outcome | undefined> => {
    await fetch(url, { method: "POST", body }).catch(() => undefined);
    return outcomes.at(-1);
  };
  const form = (...names: string[]): FormData => {
    const body = new FormData();
    for (const name of names) body.append("file", new Blob(["abc"]), name);
    return body;
  };

  it("is streamed as it arrives, with its name in Unicode", async () => {
    assert.deepEqual(await post(form("ä 日.jpg")), { result: "ä 日.jpg 3", discarded: [] });
  });

  it("is discarded when another one follows", async () => {
    const outcome = await post(form("a.jpg", "b.jpg"));
    assert.deepEqual([outcome?.error?.status, outcome?.discarded], [400, ["a.jpg 3"]]);
  });

  it("reports its own error before other errors of the form", async () => {
    keep = () => Promise.reject(new HttpError(415, "no"));
    assert.equal((await post(form("a.jpg", "b.jpg")))?.error?.status, 415);
  });

  it("fails when the client disconnects", async () => {
    const sent = request(url, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=a" },
    });
    sent.on("error", () => undefined);
    sent.write('--a\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc');
    const began = new Promise<void>((resolve) => {
      keep = (file) => {
        resolve();
        return read(file);
      };
    });
    await began;
    sent.destroy();
    await next;
    assert.equal(outcomes[0]?.error?.code, "ERR_UPLOAD_FORM");
  });

  it("cannot be used to send an endless body in other fields", async () => {
    const body = form("a.jpg");
    for (let at = 0; at < 10; at += 1) body.append(`f${at}`, "x".repeat(40_000));
    assert.equal((await post(body))?.error?.status, 413);
  });
});
