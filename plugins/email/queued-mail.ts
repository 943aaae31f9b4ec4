import { z } from "zod";
import type { OutgoingMail } from "./contract.js";

/** The job queue of mail. */
export const MAIL_QUEUE = "mail";

/** Payload of a mail job. It may hold login links: the job store is readable by its owner only. */
export interface QueuedMail {
  readonly mail: OutgoingMail;
  /** Unix ms: not sent any more after that. */
  readonly expiresAt: number;
}

/** Checks the payload of a stored mail job. */
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
