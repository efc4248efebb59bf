//! Formats by the extension of a file.

use std::fmt;
use std::path::Path;

/// A format of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Drawing exchange format of CAD programs, as text.
    Dxf,
    /// Wavefront OBJ.
    Obj,
    /// Stereolithography, text or binary.
    Stl,
    /// Polygon file format, text or binary.
    Ply,
    /// JSON of the COMPAS framework: assemblies, block models, meshes.
    Compas,
    /// Unstructured grid of VTK, for ParaView; only written.
    Vtu,
    /// Binary glTF, for viewers; only written.
    Glb,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Dxf,
        Self::Obj,
        Self::Stl,
        Self::Ply,
        Self::Compas,
        Self::Vtu,
        Self::Glb,
    ];

    /// The format that a file's extension names, in small or capital letters.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|format| format.extension() == extension)
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Dxf => "dxf",
            Self::Obj => "obj",
            Self::Stl => "stl",
            Self::Ply => "ply",
            Self::Compas => "json",
            Self::Vtu => "vtu",
            Self::Glb => "glb",
        }
    }

    /// Whether files of this format are read, not only written.
    pub fn is_read(self) -> bool {
        match self {
            Self::Dxf | Self::Obj | Self::Stl | Self::Ply | Self::Compas => true,
            Self::Vtu | Self::Glb => false,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dxf => "DXF",
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Compas => "COMPAS JSON",
            Self::Vtu => "VTU",
            Self::Glb => "GLB",
        })
    }
}
