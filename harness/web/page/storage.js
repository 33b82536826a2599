// Visual memories in the browser's storage, by program.

const DATABASE = "swirl", STORE = "vmu";

function database() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

async function transaction(mode, work) {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const request = work(opened.transaction(STORE, mode).objectStore(STORE));
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
  } finally {
    opened.close();
  }
}

/** Returns the visual memory of a program, or `undefined`. Without storage the result is `undefined`. */
export async function loadVmu(program) {
  try {
    return await transaction("readonly", (store) => store.get(program));
  } catch {
    return undefined;
  }
}

/** Stores the visual memory of a program. */
export const saveVmu = (program, bytes) => transaction("readwrite", (store) => store.put(bytes, program));
