/** Error codes of media, with meaning and fix. */
export const mediaErrors = {
  ERR_MEDIA_PARAMETER:
    "A parameter of an image address is not allowed: the message names it and what is.",
  ERR_MEDIA_IMAGE:
    "An original cannot be processed: it is damaged, no image, or beyond 25 MB or 50 megapixels; replace it.",
  ERR_MEDIA_SLOW:
    "An image took longer than its time limit: ask again later or make the original smaller.",
  ERR_MEDIA_BUSY: "Too many images wait for processing: ask again after Retry-After seconds.",
  ERR_MEDIA_PROCESS:
    "The process that generates images ended or cannot start (503): it starts again with the next image.",
  ERR_MEDIA_ENGINE:
    "The image engine of a plugin failed (503): the log names the engine, its plugin and what it did; pages show the images as they are.",
  ERR_MEDIA_BUDGET:
    "One address asked for too many new variants: ask again after Retry-After seconds.",
  ERR_MEDIA_STORE_DOWN:
    "The store of image variants does not respond (503 for `purge-cache`): check bucket, credentials and server; images are generated and served all the same.",
  ERR_MEDIA_S3_CREDENTIALS:
    "`imageStore.type: s3` and `uploadStore.type: s3` need credentials: set SITE_S3_ACCESS_KEY_ID and SITE_S3_SECRET_ACCESS_KEY.",
  ERR_MEDIA_BUCKET_DOWN:
    "The bucket of uploads does not respond (503): check bucket, credentials and server; the site retries every second.",
} as const;
