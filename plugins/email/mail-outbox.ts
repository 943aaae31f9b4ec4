import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite, isTemporary, type Logger } from "#kernel";
import type { QueuedMail } from "./mail-queue.js";

const NAME = /^[0-9a-f-]{36}\.json$/;

const queued: z.ZodType<QueuedMail> = z.object({
  mail: z.object({
    id: z.string(),
    from: z.object({ name: z.string(), address: z.string() }),
    to: z.array(z.string()).min(1),
    replyTo: z.string().nullable(),
    subject: z.string(),
    text: z.string(),
    html: z.string().nullable(),
  }),
  expiresAt: z.number(),
});

/** Where mails wait. */
export interface OutboxOptions {
  /** Made with the first mail. */
  folder: string;
  log: Logger;
}

/**
 * Mails on their way, a file each, so that a restart or a crash loses none. The files hold links that
 * log in, like the folder they are in holds the secret that such links are made with: mode 600.
 */
export class MailOutbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Keeps a mail until `drop`. A disk that refuses is logged: the mail still goes out from memory. */
  async keep(queuedMail: QueuedMail): Promise<void> {
    const { log } = this.#options;
    try {
      await atomicWrite(this.#file(queuedMail.mail.id), JSON.stringify(queuedMail), {
        mode: 0o600,
      });
    } catch (error) {
      log.warn("email.not_kept", { id: queuedMail.mail.id, error: codeOf(error) });
    }
  }

  /** Forgets a mail that was sent, or never will be. */
  async drop(id: string): Promise<void> {
    try {
      await rm(this.#file(id), { force: true });
    } catch (error) {
      this.#options.log.warn("email.not_dropped", { id, error: codeOf(error) });
    }
  }

  /** What an earlier run has left, in no order; files that are no mails are removed. */
  async left(): Promise<QueuedMail[]> {
    const found: QueuedMail[] = [];
    for (const name of await namesIn(this.#options.folder)) {
      const file = join(this.#options.folder, name);
      const mail = NAME.test(name) ? await readQueued(file) : null;
      if (mail !== null) found.push(mail);
      else if (NAME.test(name) || isTemporary(name)) await rm(file, { force: true });
    }
    return found;
  }

  #file(id: string): string {
    return join(this.#options.folder, `${id}.json`);
  }
}

async function readQueued(file: string): Promise<QueuedMail | null> {
  try {
    return queued.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    // Cut off, of another version, or no file: whatever it was, it cannot be sent.
    return null;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
