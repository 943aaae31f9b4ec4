import type { Express } from "express";

/** Adds an echo at `/echo`; replaces `app.listen`. */
export function addWebSockets(app: Express): void;
