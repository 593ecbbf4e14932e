// Tells the owner of a signature that waited on the device that its campaign has ended, and deletes the signature.
import { useEffect, useState } from 'react'
import { dropSignature, findKept, keptSignatures, sendKept } from '#web/offline/kept-signatures.ts'

/** `path`: where the campaign received signatures. */
export function LateSignatureNotice({ path }: { path: string }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    // Without storage nothing is kept.
    void dropRefused(path).then(setLate, () => {})
  }, [path])
  return (
    <p className="waiting" role="status">
      {isLate &&
        'A assinatura que ficou guardada neste aparelho não foi contada: a campanha encerrou antes de ela chegar. Já apagamos esses dados daqui.'}
    </p>
  )
}

/** The server decides: a signature may have arrived although its reply was lost. Returns whether one was refused. */
async function dropRefused(path: string): Promise<boolean> {
  const waiting = (await keptSignatures()).filter((kept) => kept.path === path)
  if (waiting.length === 0) return false
  await sendKept()
  let wasRefused = false
  for (const { requestId } of waiting) {
    const kept = await findKept(requestId)
    if (!kept?.refused) continue
    await dropSignature(kept)
    wasRefused = true
  }
  return wasRefused
}
