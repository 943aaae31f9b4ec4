// Images in texts that are larger than shown open in a dialog. Deferred.
(() => {
  for (const image of document.querySelectorAll(".prose img")) {
    if (image.closest("a, button")) continue;
    const ready = () => {
      if (fullWidth(image) > image.clientWidth * 1.25) enlargeable(image);
    };
    if (image.complete) ready();
    else image.addEventListener("load", ready, { once: true });
  }

  // The width of the original: the attribute has it also where a smaller variant is shown.
  function fullWidth(image) {
    return Math.max(Number(image.getAttribute("width")), image.naturalWidth);
  }

  function enlargeable(image) {
    const { enlarge = "Enlarge image", close = "Close" } = document.body.dataset;
    const opener = document.createElement("button");
    opener.type = "button";
    opener.className = "zoom";
    opener.setAttribute("aria-label", image.alt === "" ? enlarge : `${enlarge}: ${image.alt}`);
    const whole = image.closest("picture") ?? image;
    whole.replaceWith(opener);
    opener.append(whole);
    opener.addEventListener("click", () => {
      const dialog = document.createElement("dialog");
      dialog.className = "lightbox";
      dialog.setAttribute("aria-label", image.alt || enlarge);
      const large = new Image();
      large.src = image.getAttribute("src");
      large.alt = image.alt;
      const closer = document.createElement("button");
      closer.type = "button";
      closer.textContent = close;
      closer.autofocus = true;
      dialog.append(large, closer);
      dialog.addEventListener("click", () => dialog.close());
      dialog.addEventListener("close", () => {
        dialog.remove();
        opener.focus();
      });
      document.body.append(dialog);
      dialog.showModal();
    });
  }
})();
