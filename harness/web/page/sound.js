// Sound of a program.

const RATE = 44100;
/** Delay of sound after its frame, and maximum delay, in seconds. */
const AHEAD = 0.05, MOST = 0.25;

export class Sound {
  #context = null;
  #next = 0;

  /** Starts or stops; browsers allow a start only after the user's action. */
  set isOn(on) {
    if (on) {
      this.#context ??= new AudioContext({ sampleRate: RATE });
      this.#context.resume();
    } else {
      this.#context?.suspend();
    }
    this.#next = 0;
  }

  /** Plays interleaved samples of both channels. */
  play(samples) {
    const context = this.#context;
    const count = samples.length / 2;
    if (context?.state !== "running" || count === 0) return;
    if (this.#next > context.currentTime + MOST) return;
    const buffer = context.createBuffer(2, count, RATE);
    for (const channel of [0, 1]) {
      const target = buffer.getChannelData(channel);
      for (let n = 0; n < count; n++) target[n] = samples[2 * n + channel] / 32768;
    }
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    this.#next = Math.max(this.#next, context.currentTime + AHEAD);
    source.start(this.#next);
    this.#next += count / RATE;
  }
}
