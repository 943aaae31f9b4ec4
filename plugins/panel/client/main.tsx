/** Entry point of the panel in the browser. */
import { render } from "preact";
import { applyColors } from "./app/colors.js";
import { startExtensions } from "./app/extensions.js";
import { address, startRouter } from "./app/router.js";
import { findScreen } from "./app/screens.js";
import { Shell } from "./app/shell.js";
import { watchSession } from "./app/sign-in-again.js";
import { applyLanguage } from "./app/texts.js";
import { boot, root, sitePath } from "./boot.js";
import { Failure } from "./parts/loading.js";
import { ApiError } from "./api/request.js";
import { loadSession } from "./api/session.js";

async function start(): Promise<void> {
  applyLanguage();
  applyColors();
  // Its code loads while the server responds with the session.
  findScreen(address.peek().path)?.screen.view.preload();
  try {
    await loadSession();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      location.assign(`${boot.path}/login?next=${encodeURIComponent(sitePath(location.pathname))}`);
      return;
    }
    render(<Failure error={error} onRetry={() => location.reload()} />, root);
    return;
  }
  watchSession();
  startExtensions();
  startRouter();
  root.replaceChildren();
  render(<Shell />, root);
}

void start();
