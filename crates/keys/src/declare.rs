//! The declarations: a table, a choice of words, a choice of tables.

/// Declares a table of a model file, each key once: its field, its reader, how it is written, and its schema.
///
/// ```
/// drystone_keys::keys! {
///     /// A spring.
///     pub struct Spring {
///         /// Force per elongation.
///         stiffness: f64 { required, unit: "N/m", above: 0.0 },
///         /// Force at the start.
///         /// It pulls.
///         initial_force as "force": f64 { optional, unit: "N", least: 0.0, default: 0.0 },
///         /// Elongation at which it breaks.
///         longest: f64 { optional, unit: "m", above: 0.0, otherwise: "never" },
///     }
/// }
/// let spring = Spring { stiffness: 1e6, ..Spring::default() };
/// assert_eq!(spring.initial_force(), 0.0);
/// assert_eq!(serde_json::to_string(&spring).unwrap(), r#"{"stiffness":1000000.0}"#);
/// ```
///
/// The first line of documentation says what a key is. After the type stands first whether the key is `required`, `optional` (its field
/// is an `Option`), or `defaulted` (empty or false where absent; `kept` if it is written even so). Then follow, each where it applies and in this
/// order: `unit`, which says too in which others a string such as `"2 mm"` may give its numbers; the bounds `above`, `least`, `most`, `below` of a number, or `shortest`, `longest` of a list, and `help` for whoever misses them; and what holds where the key is
/// absent: `default` with a value, which makes a method of the name of the field, or `otherwise` with words.
#[macro_export]
macro_rules! keys {
    (
        $(#[doc = $about:literal])+
        $visibility:vis struct $spec:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident $(as $name:literal)?: $type:ty {
                    $presence:ident
                    $(, unit: $unit:literal)?
                    $(, above: $above:literal)?
                    $(, least: $least:literal)?
                    $(, most: $most:literal)?
                    $(, below: $below:literal)?
                    $(, shortest: $shortest:literal)?
                    $(, longest: $longest:literal)?
                    $(, help: $help:literal)?
                    $(, default: $default:expr)?
                    $(, otherwise: $otherwise:literal)?
                }
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Default, PartialEq)]
        $visibility struct $spec {
            $(
                $(#[doc = $doc])+
                $(#[doc = concat!("\n\nUnit: ", $unit, ".")])?
                $(#[doc = concat!("\n\nDefault: `", stringify!($default), "`.")])?
                $(#[doc = concat!("\n\nDefault: ", $otherwise, ".")])?
                pub $field: $crate::keys!(@type $presence $type),
            )*
        }

        #[allow(dead_code, reason = "a default may be asked of the declaration alone")]
        impl $spec {
            $($crate::keys! { @method $field $type $(, $default)? })*
        }

        impl $crate::Keys for $spec {
            #[allow(clippy::unnecessary_cast, reason = "bounds of whole numbers are written as such")]
            const KEYS: &'static [$crate::Key] = &[$(
                $crate::Key {
                    name: $crate::keys!(@name $field $($name)?),
                    doc: &[$($doc),+],
                    presence: $crate::keys!(@presence $presence),
                    unit: concat!($($unit)?),
                    bounds: $crate::Bounds {
                        $(above: Some($above as f64),)?
                        $(least: Some($least as f64),)?
                        $(most: Some($most as f64),)?
                        $(below: Some($below as f64),)?
                        $(shortest: Some($shortest),)?
                        $(longest: Some($longest),)?
                        ..$crate::Bounds::NONE
                    },
                    help: concat!($($help)?),
                    absent: $crate::keys!(@absent $type, $($default)?, $($otherwise)?),
                    shape: <$type as $crate::Describe>::describe,
                }
            ),*];

            fn read(table: &mut $crate::Table<'_, '_>) -> Self {
                Self {
                    $($field: $crate::keys!(@read $presence table, $crate::keys!(@name $field $($name)?), concat!($($unit)?))),*
                }
            }

            fn numbers(&self, visit: &mut dyn FnMut(&'static $crate::Key, f64)) {
                let numbers = [$($crate::keys!(@number $presence &self.$field)),*];
                for (key, number) in Self::KEYS.iter().zip(numbers) {
                    if let Some(number) = number {
                        visit(key, number);
                    }
                }
            }

            fn write<T: $crate::SerializeStruct>(&self, table: &mut T) -> Result<(), T::Error> {
                $($crate::keys!(@write $presence $type, table, $crate::keys!(@name $field $($name)?), &self.$field);)*
                Ok(())
            }
        }

        impl $crate::Decode for $spec {
            fn decode(
                node: &$crate::Node<'_>,
                trail: $crate::Trail<'_>,
                faults: &mut $crate::Faults,
            ) -> Option<Self> {
                let keys = <Self as $crate::Keys>::KEYS;
                let mut table = $crate::Table::open(node, &[keys], trail, faults)?;
                Some(<Self as $crate::Keys>::read(&mut table))
            }
        }

        impl $crate::Serialize for $spec {
            fn serialize<S: $crate::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let keys = <Self as $crate::Keys>::KEYS;
                let mut table = serializer.serialize_struct(stringify!($spec), keys.len())?;
                $crate::Keys::write(self, &mut table)?;
                $crate::SerializeStruct::end(table)
            }
        }

        impl $crate::Describe for $spec {
            fn describe(parts: &mut $crate::Parts) -> $crate::Json {
                parts.table(stringify!($spec), &[$($about),+], <Self as $crate::Keys>::KEYS)
            }
        }
    };

    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };

    (@type required $type:ty) => { $type };
    (@type optional $type:ty) => { Option<$type> };
    (@type defaulted $type:ty) => { $type };
    (@type kept $type:ty) => { $type };

    (@presence required) => { $crate::Presence::Required };
    (@presence optional) => { $crate::Presence::Optional };
    (@presence defaulted) => { $crate::Presence::Defaulted };
    (@presence kept) => { $crate::Presence::Kept };

    (@absent $type:ty, ,) => { $crate::Absent::Plain };
    (@absent $type:ty, $default:expr,) => {
        $crate::Absent::Value(|| {
            let value: $type = $default;
            $crate::json(&value)
        })
    };
    (@absent $type:ty, , $otherwise:literal) => { $crate::Absent::Words($otherwise) };

    (@method $field:ident $type:ty) => {};
    (@method $field:ident $type:ty, $default:expr) => {
        #[doc = concat!("`", stringify!($field), "`, or `", stringify!($default), "` where it is absent.")]
        pub fn $field(&self) -> $type {
            self.$field.unwrap_or($default)
        }
    };

    (@read required $table:ident, $name:expr, $unit:expr) => { $table.required($name, $unit) };
    (@read optional $table:ident, $name:expr, $unit:expr) => { $table.optional($name, $unit) };
    (@read defaulted $table:ident, $name:expr, $unit:expr) => { $table.defaulted($name, $unit) };
    (@read kept $table:ident, $name:expr, $unit:expr) => { $table.defaulted($name, $unit) };

    (@number optional $value:expr) => {
        $value.as_ref().and_then($crate::Describe::number)
    };
    (@number $presence:ident $value:expr) => { $crate::Describe::number($value) };

    (@write required $type:ty, $table:ident, $name:expr, $value:expr) => {
        $table.serialize_field($name, $value)?;
    };
    (@write optional $type:ty, $table:ident, $name:expr, $value:expr) => {
        if let Some(value) = $value {
            $table.serialize_field($name, value)?;
        }
    };
    (@write defaulted $type:ty, $table:ident, $name:expr, $value:expr) => {
        if *$value != <$type as Default>::default() {
            $table.serialize_field($name, $value)?;
        }
    };
    (@write kept $type:ty, $table:ident, $name:expr, $value:expr) => {
        $table.serialize_field($name, $value)?;
    };
}

/// Declares an enum that is written as one of a few words. A variant after the name, as in `enum Axis = Z`, is its [`Default`].
///
/// ```
/// drystone_keys::words! {
///     /// A coordinate axis.
///     pub enum Axis {
///         /// To the right.
///         X = "x",
///         /// Upwards.
///         Z = "z",
///     }
/// }
/// assert_eq!(serde_json::to_string(&Axis::Z).unwrap(), "\"z\"");
/// ```
#[macro_export]
macro_rules! words {
    (
        $(#[doc = $about:literal])+
        $visibility:vis enum $name:ident $(= $default:ident)? {
            $(
                $(#[doc = $doc:literal])+
                $variant:ident = $word:literal
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $name {
            $($(#[doc = $doc])+ $variant),*
        }

        $(
            impl Default for $name {
                fn default() -> Self {
                    Self::$default
                }
            }
        )?

        impl $crate::Decode for $name {
            fn decode(
                node: &$crate::Node<'_>,
                trail: $crate::Trail<'_>,
                faults: &mut $crate::Faults,
            ) -> Option<Self> {
                $crate::word(node, trail, faults, &[$(($word, Self::$variant)),*])
            }
        }

        impl $crate::Serialize for $name {
            fn serialize<S: $crate::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let word = match self {
                    $(Self::$variant => $word,)*
                };
                serializer.serialize_unit_variant(stringify!($name), *self as u32, word)
            }
        }

        impl $crate::Describe for $name {
            fn describe(parts: &mut $crate::Parts) -> $crate::Json {
                parts.refer(stringify!($name), |_| {
                    $crate::words_schema(&[$($about),+], &[$(($word, &[$($doc),+])),*])
                })
            }
        }
    };
}

/// Declares a choice between tables by the word under `kind`.
///
/// ```
/// drystone_keys::keys! {
///     /// A wave.
///     pub struct Wave {
///         /// Frequency.
///         frequency: f64 { required, unit: "Hz", above: 0.0 },
///     }
/// }
/// drystone_keys::kinds! {
///     /// A motion.
///     pub enum Motion {
///         /// It goes on and on.
///         Sine(Wave) = "sine",
///     }
/// }
/// let motion = Motion::Sine(Wave { frequency: 2.0 });
/// assert_eq!(motion.kind(), "sine");
/// assert_eq!(serde_json::to_string(&motion).unwrap(), r#"{"kind":"sine","frequency":2.0}"#);
/// ```
#[macro_export]
macro_rules! kinds {
    (
        $(#[doc = $about:literal])+
        $visibility:vis enum $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $variant:ident($spec:ty) = $word:literal
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[allow(clippy::large_enum_variant, reason = "a model has few of them")]
        #[derive(Debug, Clone, PartialEq)]
        $visibility enum $name {
            $($(#[doc = $doc])+ $variant($spec)),*
        }

        impl $name {
            /// The word that stands for this kind in a model file.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $word,)*
                }
            }
        }

        impl $crate::Kinds for $name {
            const KINDS: &'static [$crate::Kind] = &[$(
                $crate::Kind {
                    word: $word,
                    doc: &[$($doc),+],
                    keys: <$spec as $crate::Keys>::KEYS,
                }
            ),*];

            fn read(kind: &str, table: &mut $crate::Table<'_, '_>) -> Option<Self> {
                match kind {
                    $($word => Some(Self::$variant($crate::Keys::read(table))),)*
                    _ => None,
                }
            }

            fn write<T: $crate::SerializeStruct>(&self, table: &mut T) -> Result<(), T::Error> {
                table.serialize_field("kind", self.kind())?;
                match self {
                    $(Self::$variant(spec) => $crate::Keys::write(spec, table),)*
                }
            }
        }

        impl $crate::Decode for $name {
            fn decode(
                node: &$crate::Node<'_>,
                trail: $crate::Trail<'_>,
                faults: &mut $crate::Faults,
            ) -> Option<Self> {
                let (kind, mut table) = $crate::open_kind::<Self>(node, &[], trail, faults)?;
                <Self as $crate::Kinds>::read(kind, &mut table)
            }
        }

        impl $crate::Serialize for $name {
            fn serialize<S: $crate::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut table = serializer.serialize_struct(stringify!($name), 1)?;
                $crate::Kinds::write(self, &mut table)?;
                $crate::SerializeStruct::end(table)
            }
        }

        impl $crate::Describe for $name {
            fn describe(parts: &mut $crate::Parts) -> $crate::Json {
                parts.kinds(stringify!($name), &[$($about),+], <Self as $crate::Kinds>::KINDS)
            }
        }
    };
}
