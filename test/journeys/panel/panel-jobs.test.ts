import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { arrangingJobs } from "../../support/panel-jobs/arranging-jobs.js";
import { publishingJobs } from "../../support/panel-jobs/publishing-jobs.js";
import { siteJobs } from "../../support/panel-jobs/site-jobs.js";
import { textJobs } from "../../support/panel-jobs/text-jobs.js";
import { JobDesk, type JobSite, type PanelJob } from "../../support/panel-jobs/panel-job.js";
import { bootPanel, panelPlugins } from "../../support/browsers/panel-browser.js";
import { runsOf } from "../../support/browsers/panel-hands.js";
import { useChromium } from "../../support/services.js";
import { startMailServer, type MailServer } from "../../support/servers/mail-server.js";

/** Everyday jobs: each is done by pointer and by keyboard alone, in a narrow and in a wide window. */
const JOBS: readonly PanelJob[] = [...publishingJobs, ...textJobs, ...arrangingJobs, ...siteJobs];

const files = {
  "blueprints/recipe.yaml":
    "title: Recipe\nfields:\n  servings: { type: number, label: Servings }\n",
  "content/09.atlas/default.md": "---\ntitle: Atlas\n---\n",
  "content/09.atlas/01.maps/default.md": "---\ntitle: Maps\n---\n",
  "content/09.atlas/02.names/default.md": "---\ntitle: Names\n---\n",
};

describe("everyday jobs in the panel", () => {
  let shared: JobSite;
  let mail: MailServer;
  before(async function () {
    const browser: Browser = await useChromium(this);
    mail = await startMailServer();
    const smtp = { host: "127.0.0.1", port: mail.port, secure: false };
    const site = await bootPanel({
      plugins: [...panelPlugins, "email", "outbound"],
      settings: {
        site: { email: { provider: "smtp", from: "site@example.org", smtp } },
        system: { languages: { supported: ["en", "de"], default: "en" } },
      },
      files,
    });
    shared = { browser, site, admin: await site.as("admin", { username: "seed" }) };
  });
  after(async () => {
    await shared.site.close();
    await mail.close();
  });

  it("are twenty", () => {
    assert.equal(JOBS.length, 20);
  });

  for (const [at, job] of JOBS.entries()) {
    describe(job.title, () => {
      for (const run of runsOf(at)) {
        it(`by ${run.by} at ${run.width} pixels, ${run.colorScheme}`, async () => {
          const desk = new JobDesk(shared, job, run);
          let isDone = false;
          try {
            await job.run(desk);
            isDone = true;
          } finally {
            await desk.end(isDone);
          }
        });
      }
    });
  }
});
