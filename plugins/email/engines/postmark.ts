import { formatSender, type HostedApi } from "./hosted.js";

/** https://postmarkapp.com */
export const postmark: HostedApi = {
  name: "postmark",
  baseUrl: "https://api.postmarkapp.com",
  path: "/email",
  headers: (apiKey) => ({ "X-Postmark-Server-Token": apiKey }),
  body: ({ from, to, replyTo, subject, text, html }) => ({
    From: formatSender(from),
    To: to.join(", "),
    Subject: subject,
    TextBody: text,
    ...(html === null ? {} : { HtmlBody: html }),
    ...(replyTo === null ? {} : { ReplyTo: replyTo }),
  }),
};
