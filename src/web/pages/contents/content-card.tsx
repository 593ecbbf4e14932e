// Card of one content: its image, text and share buttons.
import type { Content } from '#contract/contents.ts'
import { shareText, twitterShare, urlFrom, whatsAppShare } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { ContentDescription } from '#web/pages/contents/content-description.tsx'
import { sourceSet } from '#web/pages/contents/content-image.ts'
import { DownloadButton, SendImageButton } from '#web/pages/contents/image-actions.tsx'
import { InstagramIcon, TwitterIcon, WhatsAppIcon } from '#web/ui/icons.tsx'
import { newTab } from '#web/ui/new-tab.ts'
import { MoreWaysToShare } from '#web/ui/share-kit.tsx'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'

export function ContentCard({ content }: { content: Content }) {
  const { site, profiles, publicUrl, path } = usePageContext()
  const { id, titulo, descricao, categoria, imagemUrl, peticao } = content
  // A content with a petition brings people to the petition.
  const petitionUrl = peticao && publicUrl + peticao.path
  const url = petitionUrl ? urlFrom(petitionUrl, 'whatsapp') : publicUrl
  const text = peticao?.shareTexts.whatsapp ?? `${titulo}\n\n${descricao}\n`
  return (
    <li className="content">
      <div className="content-picture">
        <img
          src={imagemUrl}
          srcSet={sourceSet(imagemUrl)}
          sizes="(min-width: 64rem) 24rem, (min-width: 42rem) 46vw, 92vw"
          width={1080}
          height={1350}
          loading="lazy"
          decoding="async"
          alt={`Cartaz: ${titulo}`}
        />
        <p className="sticker">{categoria}</p>
      </div>
      <div className="content-text">
        <h2>{titulo}</h2>
        <ContentDescription title={titulo} text={descricao} />
      </div>
      <div className="content-ways">
        {peticao && (
          <a className="button button-sign" href={peticao.path} aria-label={`Assine: ${peticao.titulo}`}>
            Assine
          </a>
        )}
        <WhatsAppLink
          className="button button-whatsapp"
          href={whatsAppShare({ text, url })}
          aria-label={`WhatsApp: compartilhar ${titulo}`}
        >
          <WhatsAppIcon /> WhatsApp
        </WhatsAppLink>
        <SendImageButton content={content} caption={`${text}\n${url}`} />
        <DownloadButton content={content} />
        {profiles?.instagram && (
          <a
            className="button"
            href={profiles.instagram}
            aria-label={`Instagram: nosso perfil, com ${titulo}`}
            {...newTab}
          >
            <InstagramIcon /> Instagram
          </a>
        )}
        <a
          className="button"
          href={twitterShare({
            text: peticao?.shareTexts.twitter ?? `${titulo} ${site.hashtag}`,
            url: petitionUrl ? urlFrom(petitionUrl, 'twitter') : `${publicUrl}${path}`,
          })}
          aria-label={`Twitter: compartilhar ${titulo}`}
          {...newTab}
        >
          <TwitterIcon /> Twitter
        </a>
      </div>
      <details className="content-more-ways">
        <summary aria-label={`Mais formas de compartilhar ${titulo}`}>Mais formas de compartilhar</summary>
        <MoreWaysToShare
          place={`share-content-${id}`}
          label={`Mais formas de compartilhar ${titulo}`}
          url={petitionUrl ?? `${publicUrl}${path}`}
          textFor={(channel) => (peticao ? shareText(peticao, channel) : titulo)}
          withoutTwitter
        />
      </details>
    </li>
  )
}
