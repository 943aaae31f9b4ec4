import { z } from "zod";
import type { OutgoingMail } from "./contract.js";

/** The job queue of mail. */
export const MAIL_QUEUE = "mail";

/** Payload of a mail job. It may contain login links: only the owner can read the job store. */
export interface QueuedMail {
  readonly mail: OutgoingMail;
  /** Unix ms; not sent after that. */
  readonly expiresAt: number;
}

/** Schema of a stored mail job's payload. */
export const queuedMail: z.ZodType<QueuedMail> = z.object({
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
