import { formatSender, type HostedApi } from "./hosted.js";

/** https://resend.com */
export const resend: HostedApi = {
  name: "resend",
  baseUrl: "https://api.resend.com",
  path: "/emails",
  headers: (apiKey, { id }) => ({ Authorization: `Bearer ${apiKey}`, "Idempotency-Key": id }),
  body: ({ from, to, replyTo, subject, text, html }) => ({
    from: formatSender(from),
    to,
    subject,
    text,
    ...(html === null ? {} : { html }),
    ...(replyTo === null ? {} : { reply_to: replyTo }),
  }),
};
