// WebSockets of the app that mounts a site, as the README of express-ws says.
import expressWs from "express-ws";

/** Adds an echo at `/echo`; replaces `app.listen`. */
export function addWebSockets(app) {
  expressWs(app);
  app.ws("/echo", (ws) => {
    ws.on("message", (text) => ws.send(`echo ${text}`));
  });
}
