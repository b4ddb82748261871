import type { ModelImage } from "#protocol/model-message";
import type { LoadImage } from "./model-port";

export interface LoadedImage {
  readonly name: string;
  readonly mime: string;
  /** Null when the attachment is gone: the model is told so in words. */
  readonly bytes: Uint8Array | null;
}

/** The images of one message, in order. */
export async function loadImages(images: readonly ModelImage[], load: LoadImage): Promise<readonly LoadedImage[]> {
  return Promise.all(images.map(async (image) => ({ name: image.name, mime: image.mime, bytes: await load(image.attachment_id) })));
}

/** What stands in a message for an image that cannot be loaded any more. */
export function missingImageText(image: LoadedImage): string {
  return `[The image ${image.name} is no longer available.]`;
}
