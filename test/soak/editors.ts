// An editor who saves, logs in again and uploads, until it is stopped.
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { gradient } from "../support/content/pictures.js";
import { account, GALLERY } from "./soak-site.js";

const PAUSE_MS = 1_000;
const LOGIN_EVERY = 5;
const UPLOAD_EVERY = 10;
/** Pictures are drawn before the load, which they would slow down. */
const PICTURES = 30;
const PAGE = "0002.section-0002/page-1/default.md";

/** A session of the panel. */
interface Session {
  readonly cookie: string;
  readonly csrf: string;
}

/** Saves each second, a login each 5 s, an upload each 10 s. */
export class Editor {
  /** Responses by kind and status: `save 200`. */
  readonly counts = new Map<string, number>();
  readonly #url: string;
  readonly #pauseMs: number;
  readonly #pictures: Buffer[] = [];
  #hasEnded = false;
  #running: Promise<void> = Promise.resolve();

  constructor(url: string, { pauseMs = PAUSE_MS } = {}) {
    this.#url = url;
    this.#pauseMs = pauseMs;
  }

  async start(): Promise<void> {
    for (let quality = 60; quality < 60 + PICTURES; quality += 1) {
      this.#pictures.push(await gradient(1600, 1000).jpeg({ quality }).toBuffer());
    }
    this.#running = this.#edit();
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await this.#running;
  }

  async #edit(): Promise<void> {
    let session = await this.#logIn();
    for (let at = 1; !this.#hasEnded; at += 1) {
      await this.#save(session, at);
      if (at % LOGIN_EVERY === 0) session = await this.#logIn();
      if (at % UPLOAD_EVERY === 0) await this.#upload(session, at);
      await delay(this.#pauseMs);
    }
  }

  async #logIn(): Promise<Session> {
    const response = await this.#send("login", "/admin/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(account),
    });
    const { csrfToken } = z.object({ csrfToken: z.string() }).parse(JSON.parse(response.text));
    return { cookie: response.cookie, csrf: csrfToken };
  }

  async #save(session: Session, at: number): Promise<void> {
    await this.#send("save", `/admin/api/pages/${encodeURIComponent(PAGE)}`, {
      method: "PUT",
      headers: { ...headersOf(session), "content-type": "application/json" },
      body: JSON.stringify({
        content: `---\ntitle: Edited ${at}\n---\nA page of markdown ${at}.\n`,
      }),
    });
  }

  /** The same name each time: the file is replaced, and its variants are generated again. */
  async #upload(session: Session, at: number): Promise<void> {
    const body = new FormData();
    const bytes = new Uint8Array(this.#pictures[at % PICTURES] ?? []);
    body.set("file", new Blob([bytes], { type: "image/jpeg" }), "hill.jpg");
    body.set("pagePath", `content/${GALLERY}/default.md`);
    body.set("overwrite", "true");
    await this.#send("upload", "/admin/api/media/upload", {
      method: "POST",
      headers: headersOf(session),
      body,
    });
  }

  async #send(kind: string, path: string, init: RequestInit) {
    const response = await fetch(this.#url + path, init);
    const text = await response.text();
    const name = `${kind} ${response.status}`;
    if (!response.ok && !this.counts.has(name)) console.error(`${name}: ${text.slice(0, 300)}`);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return { text, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
  }
}

function headersOf({ cookie, csrf }: Session): Record<string, string> {
  return { cookie, "x-csrf-token": csrf, "sec-fetch-site": "same-origin" };
}
