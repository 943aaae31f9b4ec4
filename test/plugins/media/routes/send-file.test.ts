import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { open, truncate, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import express from "express";
import { FileSender } from "../../../../plugins/media/routes/send-body.js";
import { deferred } from "../../../support/deferred.js";
import { useFolder } from "../../../support/folder.js";

describe("FileSender", () => {
  const folder = useFolder();
  const bytes = randomBytes(1_500_000);
  const state: { server: Server | null; url: string; ended: Promise<void> } = {
    server: null,
    url: "",
    ended: Promise.resolve(),
  };
  let sender = new FileSender();
  let part = { start: 0, end: bytes.length - 1 };
  let whileSending: () => Promise<void> = () => Promise.resolve();

  beforeEach(async () => {
    sender = new FileSender();
    part = { start: 0, end: bytes.length - 1 };
    whileSending = () => Promise.resolve();
    const file = join(folder.path, "film.mp4");
    await writeFile(file, bytes);
    const ended = deferred<void>();
    state.ended = ended.promise;
    const app = express().use(async (_req, res) => {
      const handle = await open(file);
      res.writeHead(200, { "Content-Length": part.end + 1 - part.start });
      await whileSending();
      await sender.sendPart(handle, res, part);
      await handle.close();
      ended.resolve();
    });
    const server = createServer(app).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    state.server = server;
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(() => state.server?.close());

  async function received(): Promise<Buffer> {
    return Buffer.from(await (await fetch(state.url)).arrayBuffer());
  }

  it("does not mix the bytes of concurrent files", async () => {
    const all = await Promise.all(Array.from({ length: 12 }, received));
    assert.ok(all.every((one) => one.equals(bytes)));
  });

  it("sends a part, both ends included", async () => {
    part = { start: 262_100, end: 600_001 };
    assert.ok((await received()).equals(bytes.subarray(262_100, 600_002)));
    part = { start: 5, end: 5 };
    assert.deepEqual(await received(), bytes.subarray(5, 6));
  });

  it("ends at once when the client has left before it begins", async () => {
    const leaving = new AbortController();
    whileSending = async () => {
      leaving.abort();
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await assert.rejects(fetch(state.url, { signal: leaving.signal }));
    await state.ended;
  });

  it("closes the connection when the file was truncated", async () => {
    whileSending = () => truncate(join(folder.path, "film.mp4"), 1_000);
    await assert.rejects(received());
    await state.ended;
  });

  it("reads a few files at a time, in chunks that are smaller the more there are", async () => {
    const sizes: number[] = [];
    const reads = { now: 0, most: 0 };
    const handle = {
      async read({ buffer }: { buffer: Buffer }) {
        sizes.push(buffer.length);
        reads.most = Math.max(reads.most, (reads.now += 1));
        await new Promise((resolve) => setImmediate(resolve));
        reads.now -= 1;
        return { buffer, bytesRead: buffer.length };
      },
    };
    const sendAll = async (count: number): Promise<void> => {
      sizes.length = 0;
      const sent = Array.from({ length: count }, async () => {
        const res = Object.assign(new EventEmitter(), { write: () => true, end: () => undefined });
        await sender.sendPart(handle as never, res as never, { start: 0, end: 999_999 });
      });
      assert.equal(sender.open, count);
      await Promise.all(sent);
      assert.equal(sender.open, 0);
    };
    await sendAll(2);
    assert.equal(Math.max(...sizes), 256 * 1024);
    await sendAll(200);
    assert.ok(sizes.includes(Math.floor((16 * 1024 * 1024) / 200)));
    assert.equal(reads.most, 4);
  });
});
