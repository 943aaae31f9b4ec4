import assert from "node:assert/strict";
import { z } from "zod";
import type { Plugin } from "#kernel";
import { useAdmin } from "../../../../support/sites/use-site.js";

describe("GET /admin/api/jobs", () => {
  let fails = true;
  const worker: Plugin = {
    name: "worker",
    version: "1.0.0",
    requires: ["jobs"],
    setup: ({ use }) =>
      use("jobs").define<string>("work", {
        payload: z.string(),
        delaysMs: [],
        run: async () => {
          if (fails) throw new Error("not yet");
        },
      }),
  };
  const site = useAdmin({ extraPlugins: [worker] });
  const admin = site.user("admin");

  it("lists jobs by queue and state, without payloads, and retries a dead one", async () => {
    const jobs = site.site.use("jobs");
    const id = await jobs.add("work", "secret link");
    await jobs.outcome(id);
    const body = await admin.json(200, "GET", "/admin/api/jobs?queue=work&state=dead");
    assert.equal(body.total, 1);
    assert.deepEqual(body.queues.work, { waiting: 0, running: 0, dead: 1 });
    const [job] = body.items;
    assert.deepEqual(
      { id: job.id, attempts: job.attempts, state: job.state, lastError: job.lastError },
      { id, attempts: 1, state: "dead", lastError: "not yet" },
    );
    assert.ok(!JSON.stringify(body).includes("secret link"));
    fails = false;
    await admin.json(202, "POST", `/admin/api/jobs/${id}/retry`);
    await jobs.idle("work");
    assert.equal((await admin.json(200, "GET", "/admin/api/jobs")).total, 0);
    await admin.json(404, "POST", `/admin/api/jobs/${id}/retry`);
  });

  it("responds 400 to an unknown state, an empty list to an unknown queue", async () => {
    assert.equal((await admin.send("GET", "/admin/api/jobs?state=lost")).status, 400);
    assert.equal((await admin.json(200, "GET", "/admin/api/jobs?queue=none")).total, 0);
  });

  it("needs config.read to list and config.update to retry", async () => {
    const author = await site.as("author");
    const editor = await site.as("editor");
    assert.equal((await author.send("GET", "/admin/api/jobs")).status, 403);
    assert.equal((await editor.send("GET", "/admin/api/jobs")).status, 200);
    assert.equal((await editor.send("POST", "/admin/api/jobs/x/retry")).status, 403);
  });
});
