// What a manifesto can be made of in the editor: the same that the server's sanitiser admits, and nothing else.
import type { Extensions } from '@tiptap/core'
import Image from '@tiptap/extension-image'
import StarterKit from '@tiptap/starter-kit'

/** Links lead to safe pages, to mailboxes and to pages of this site. */
export const isLink = (address: string) =>
  /^(https:\/\/[^\s]+\.[^\s]+|mailto:[^\s@]+@[^\s@]+|\/(?!\/)\S*)$/.test(address)

const ourImage = /^\/media\/[0-9a-f]{64}\.[\w.]+$/

/** Only images of ours can be drawn by anybody; those of other sites stay where they are. */
const OurImage = Image.extend({
  parseHTML: () => [
    { tag: 'img[src]', getAttrs: (element) => (ourImage.test(element.getAttribute('src') ?? '') ? null : false) },
  ],
})

export const extensions: Extensions = [
  StarterKit.configure({
    code: false,
    codeBlock: false,
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: isLink,
      shouldAutoLink: isLink,
    },
  }),
  OurImage,
]
