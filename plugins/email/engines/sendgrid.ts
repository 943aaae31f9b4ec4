import type { HostedApi } from "./hosted.js";

/** https://sendgrid.com */
export const sendgrid: HostedApi = {
  name: "sendgrid",
  baseUrl: "https://api.sendgrid.com",
  path: "/v3/mail/send",
  headers: (apiKey) => ({ Authorization: `Bearer ${apiKey}` }),
  body: ({ from, to, replyTo, subject, text, html }) => ({
    from: { email: from.address, ...(from.name === "" ? {} : { name: from.name }) },
    personalizations: [{ to: to.map((email) => ({ email })) }],
    subject,
    // The API requires the plain part first.
    content: [
      { type: "text/plain", value: text },
      ...(html === null ? [] : [{ type: "text/html", value: html }]),
    ],
    ...(replyTo === null ? {} : { reply_to: { email: replyTo } }),
  }),
};
