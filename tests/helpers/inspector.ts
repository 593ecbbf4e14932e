// The debugging protocol of a server process, to collect its garbage before its memory is read.

interface Target {
  webSocketDebuggerUrl: string
}

/** For a process that was started with `--inspect=127.0.0.1:port`. */
export async function collectGarbage(port: number): Promise<void> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Target[]
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '')
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
    })
    await new Promise((resolve) => {
      socket.addEventListener('message', resolve)
      socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
    })
  } finally {
    socket.close()
  }
}
