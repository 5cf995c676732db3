// Reads a ticket's QR code with the camera, if the browser can (BarcodeDetector).

import { h } from '../shared/dom.js';
import { sheet } from './frame.js';
import { readTicket } from './ticket.js';

const LOOK_MS = 180;

/** Whether this browser can read QR codes. */
export async function canScan() {
  if (!globalThis.BarcodeDetector || !navigator.mediaDevices?.getUserMedia) return false;
  try {
    return (await globalThis.BarcodeDetector.getSupportedFormats()).includes('qr_code');
  } catch {
    return false;
  }
}

/** Scan until a ticket is seen or the dialog is closed; returns the ticket or null. */
export async function scan() {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  } catch {
    const words = 'The camera may not be used here. Key the number and the code instead.';
    sheet('Scan your ticket', h('p', { class: 'quiet' }, words));
    return null;
  }
  const video = h('video', { class: 'camera', muted: true, playsInline: true });
  video.srcObject = stream;
  const said = h(
    'p',
    { class: 'quiet', role: 'status' },
    'Hold the square code before the camera.',
  );
  const box = sheet('Scan your ticket', video, said);
  try {
    video.play().catch(() => {}); // closed before the first picture came
    return await seen(video, box, said);
  } finally {
    stream.getTracks().forEach((track) => track.stop());
    box.close();
  }
}

/**
 * @param {HTMLVideoElement} video
 * @param {HTMLDialogElement} box
 * @param {HTMLElement} said
 */
async function seen(video, box, said) {
  if (!globalThis.BarcodeDetector) return null;
  const detector = new globalThis.BarcodeDetector({ formats: ['qr_code'] });
  while (box.open) {
    const codes =
      video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await detector.detect(video) : [];
    for (const { rawValue } of codes) {
      const ticket = readTicket(rawValue);
      if (ticket) return ticket;
      said.textContent = 'This is not the code of a keno ticket.';
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  return null;
}
